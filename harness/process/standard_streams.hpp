#pragma once

namespace macrobench {

/// Opens those of descriptors 0 to 2 that are closed, so that no file gets their numbers, and with
/// them what is meant for a terminal. Standard input and output remain useless: reading the one and
/// writing to the other fails. Call it before anything is opened.
void open_standard_descriptors();

/// Throws Failure if this process may open too few files for what it does: libraries that find out
/// by themselves end the process, with a code that means something else here.
void check_file_limit();

/// Throws Failure if not all that was printed on standard output could be written.
void flush_standard_output();

}  // namespace macrobench

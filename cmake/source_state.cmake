# Writes OUT/source_state.cpp, definitions of harness/sources/source_digest.hpp, and leaves it alone if
# nothing changed. Run at every build:
#   cmake -DSOURCE=<repository> -DOUT=<folder> -P source_state.cmake
# Where the sources came without their repository, cmake/archived_commit says which commit they are of,
# if git made the archive; the environment's MACROBENCH_COMMIT does so in any case.

cmake_minimum_required(VERSION 3.24)

set(commit "")
set(dirty "std::nullopt")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  # The folder may belong to another user: a container's bind mount.
  set(git ${GIT} -c safe.directory=* -C ${SOURCE})
  execute_process(COMMAND ${git} rev-parse --verify HEAD OUTPUT_VARIABLE head RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit "${head}")
  endif()
  execute_process(COMMAND ${git} --no-optional-locks status --porcelain -- . ":(exclude)results"
                  OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    if(changes STREQUAL "")
      set(dirty "false")
    else()
      set(dirty "true")
    endif()
  endif()
endif()
if(commit STREQUAL "" AND EXISTS "${SOURCE}/cmake/archived_commit")
  file(STRINGS "${SOURCE}/cmake/archived_commit" archived LIMIT_COUNT 1 REGEX "^[0-9a-f]+$")
  set(commit "${archived}")
endif()
if(DEFINED ENV{MACROBENCH_COMMIT})
  set(dirty "std::nullopt")
  string(REGEX REPLACE "[^0-9A-Za-z._+-]" "" commit "$ENV{MACROBENCH_COMMIT}")
endif()

file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/implementations/*")
file(GLOB programs RELATIVE "${SOURCE}" "${SOURCE}/harness/programs/*.?pp" "${SOURCE}/harness/process/child_process.?pp")
list(APPEND files ${programs})
# What decides every result beside a model's own files: how a case becomes a problem and an outcome a
# record, and the timing loop.
list(APPEND files
  harness/model/axis_table.hpp
  harness/model/outcome.hpp
  harness/model/parameters.cpp
  harness/model/parameters.hpp
  harness/model/solution_arrays.hpp
  harness/model/solver.hpp
  harness/model/solver_model.hpp
  harness/model/stages.hpp
  harness/model/wrong_size.hpp
  harness/run/child.cpp
  harness/run/runner.cpp
  harness/run/sampler.cpp
  harness/run/sampler.hpp
  harness/run/stage_clock.hpp)
list(FILTER files EXCLUDE REGEX "\\.md$")
list(SORT files)

set(table "")
foreach(file IN LISTS files)
  file(SHA256 "${SOURCE}/${file}" hash)
  file(STRINGS "${SOURCE}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
  set(includes "")
  foreach(line IN LISTS lines)
    if(line MATCHES "\"([^\"]+)\"")
      string(APPEND includes "\"${CMAKE_MATCH_1}\", ")
    endif()
  endforeach()
  string(APPEND table "    {\"${file}\", \"${hash}\", {${includes}}},\n")
endforeach()

# How all sources are compiled; what the folders of implementations add is among the files above.
file(GLOB rules "${SOURCE}/CMakeLists.txt" "${SOURCE}/CMakePresets.json" "${SOURCE}/cmake/*.cmake"
     "${SOURCE}/harness/CMakeLists.txt" "${SOURCE}/tools/build" "${SOURCE}/tools/cuda_toolkit")
set(rules_text "")
foreach(rule IN LISTS rules)
  file(SHA256 "${rule}" hash)
  string(APPEND rules_text "${hash}\n")
endforeach()
string(SHA256 rules_hash "${rules_text}")

file(CONFIGURE OUTPUT "${OUT}/source_state.cpp" @ONLY CONTENT [[
#include "harness/sources/source_digest.hpp"

namespace macrobench {

std::string_view source_commit() {
  return "@commit@";
}

std::optional<bool> source_dirty() {
  return @dirty@;
}

std::string_view source_rules() {
  return "@rules_hash@";
}

std::span<const SourceFile> source_files() {
  static const std::vector<SourceFile> files{
@table@  };
  return files;
}

}  // namespace macrobench
]])

#include "harness/commands/command.hpp"

int main(int argc, char** argv) {
  return macrobench::command_line_main(argc, argv);
}

#include "harness/command_line/command.hpp"

int main(int argc, char** argv) {
  return macrobench::command_line_main(argc, argv);
}

// no_driver: what the real libraries answer without a driver, and whether ours do. See README.md.
#include <gflags/gflags.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/no_musa/our_libraries.h"
#include "tests/no_musa/real_libraries.h"

DEFINE_string(mappings, "mappings", "folder of the tables");
DEFINE_string(release, "", "record, verify: the release found below the folders");
DEFINE_bool(again, false, "record: note what differs from the run before; record starts it itself");
DEFINE_string(label, "", "compare: the library, as cudart-13");
DEFINE_string(deviations, "", "compare, classes: the deviations that are meant");
DEFINE_string(readme, "", "compare, classes: the text that has the tables of results");
DEFINE_bool(list, false, "compare: print every deviation, one a line");
DEFINE_int32(seconds, 10, "time for one call");

namespace no_musa {
namespace {

constexpr int kOk = 0, kFindings = 1, kUsage = 2, kSkipped = 77;

constexpr char kUsageText[] =
    "usage: no_driver record  --mappings=DIR --release=R FOLDER...\n"
    "       no_driver verify  --mappings=DIR --release=R FOLDER...\n"
    "       no_driver compare --mappings=DIR --label=LABEL --deviations=FILE [--readme=FILE]\n"
    "                         [--list] LIBRARY\n"
    "       no_driver classes --deviations=FILE [--readme=FILE]\n"
    "\n"
    "  record   call the libraries of a CUDA release and store their answers in\n"
    "           DIR/cuda/no_driver.yaml\n"
    "  verify   call them and print where they answer otherwise than stored\n"
    "  compare  call one of ours and print deviations that FILE does not have, and those of FILE\n"
    "           that are none any more\n"
    "  classes  print the classes of deviations\n"
    "\n"
    "exit status: 0 done, 1 findings, 2 bad usage or bad input, 77 nothing to verify here\n";

int run_compare(const std::vector<std::string>& paths) {
  if (paths.size() != 1) throw std::runtime_error("compare: expected one library");
  const CompareOptions options = {FLAGS_mappings, FLAGS_label,   paths.front(), FLAGS_deviations,
                                  FLAGS_readme,   FLAGS_seconds, FLAGS_list};
  return compare_ours(options) ? kFindings : kOk;
}

int run(const std::string& command, const std::vector<std::string>& arguments) {
  const RecordOptions options = {FLAGS_mappings, FLAGS_release, arguments, FLAGS_seconds,
                                 FLAGS_again};
  if (command == "record") {
    record(options);
    return kOk;
  }
  if (command == "verify") {
    const int differing = verify(options);
    return differing < 0 ? kSkipped : differing > 0 ? kFindings : kOk;
  }
  if (command == "compare") return run_compare(arguments);
  if (command == "classes") {
    return print_classes(FLAGS_deviations, FLAGS_readme) ? kFindings : kOk;
  }
  std::fputs(kUsageText, stderr);
  return kUsage;
}

}  // namespace
}  // namespace no_musa

int main(int argc, char** argv) {
  gflags::SetUsageMessage(no_musa::kUsageText);
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  try {
    return no_musa::run(argc > 1 ? argv[1] : "", {argv + std::min(argc, 2), argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "no_driver: %s\n", error.what());
    return no_musa::kUsage;
  }
}

#include "tests/recording/cuda_libraries.h"

#include <fstream>
#include <set>

namespace recording {
namespace {

std::set<std::string> registered() {
  std::ifstream file(REGISTERED_FILE);
  std::set<std::string> out;
  for (std::string line; std::getline(file, line);) out.insert(line);
  return out;
}

TEST(CudaLibraries, HaveARowForEachOfTheRegistry) {
  std::set<std::string> listed;
  for (const CudaLibrary& library : cuda_libraries()) {
    listed.insert(library.label + " " + library.file);
  }
  EXPECT_EQ(registered(), listed) << "mappings/libraries.yaml and " CUDA_LIBRARIES_FILE " differ";
}

}  // namespace
}  // namespace recording

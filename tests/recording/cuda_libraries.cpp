#include "tests/recording/cuda_libraries.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace recording {
namespace {

std::vector<CudaLibrary> read(const char* path) {
  std::ifstream file(path);
  std::vector<CudaLibrary> out;
  std::string line;
  std::getline(file, line);  // The names of the columns.
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    CudaLibrary library;
    if (!(words >> library.label >> library.file >> library.unsupported >> library.no_device_code >>
          library.no_devices >> library.direct >> library.called >> library.prototypes)) {
      throw std::runtime_error(std::string(path) + ": cannot read \"" + line + "\"");
    }
    out.push_back(library);
  }
  if (out.empty()) throw std::runtime_error(std::string(path) + ": no libraries");
  return out;
}

}  // namespace

const std::vector<CudaLibrary>& cuda_libraries() {
  static const std::vector<CudaLibrary> kLibraries = read(CUDA_LIBRARIES_FILE);
  return kLibraries;
}

std::vector<CudaLibrary> each_major_of(const std::string& name) {
  std::vector<CudaLibrary> out;
  for (const CudaLibrary& library : cuda_libraries()) {
    if (library.label.rfind(name + "-", 0) == 0) out.push_back(library);
  }
  return out;
}

const CudaLibrary& cuda_library(const std::string& label) {
  for (const CudaLibrary& library : cuda_libraries()) {
    if (library.label == label) return library;
  }
  throw std::out_of_range("no library " + label);
}

std::string name_of(const testing::TestParamInfo<CudaLibrary>& tested) {
  std::string name = tested.param.label;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace recording

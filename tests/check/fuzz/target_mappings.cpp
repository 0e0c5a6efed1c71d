// Every reader of mappings/: a bad table must end in an error that names its file and line.
#include <sys/mman.h>
#include <unistd.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "generator/tables/client_ranking.h"
#include "generator/tables/cuda_tables.h"
#include "generator/tables/forward_tables.h"
#include "generator/tables/history.h"
#include "generator/tables/musa_tables.h"
#include "generator/tables/no_driver.h"
#include "generator/tables/recorded_answers.h"
#include "generator/tables/registry.h"
#include "src/shared/yaml_source.h"

namespace {

using torchada::CudaReleases;

const CudaReleases& releases() {
  static const CudaReleases out = torchada::read_cuda_releases(FUZZ_MAPPINGS "/cuda/releases.yaml");
  return out;
}

const std::vector<std::function<void(const std::string&)>> kReaders = {
    [](const std::string& file) { torchada::read_cuda_library(file, releases()); },
    [](const std::string& file) { torchada::read_cuda_releases(file); },
    [](const std::string& file) { torchada::read_musa_library(file); },
    [](const std::string& file) { torchada::read_musa_backend(file); },
    [](const std::string& file) { torchada::read_forward_library(file, {}); },
    [](const std::string& file) { torchada::read_type_correspondence(file); },
    [](const std::string& file) { torchada::read_recorded_answers(file); },
    [](const std::string& file) { torchada::read_no_driver_answers(file); },
    [](const std::string& file) { torchada::read_library_history(file); },
    [](const std::string& file) { torchada::read_client_ranking(file); },
    [](const std::string& file) { torchada::read_registry(file); },
};

// A file in memory, because the readers take file names.
struct File {
  int descriptor = memfd_create("table", MFD_CLOEXEC);
  std::string path = "/proc/self/fd/" + std::to_string(descriptor);

  void hold(const std::uint8_t* data, std::size_t size) const {
    if (descriptor < 0 || ftruncate(descriptor, 0) != 0 ||
        pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size)) {
      std::perror("memfd");
      std::abort();
    }
  }
};

}  // namespace

// The first byte is a letter that selects the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const File file;
  if (size == 0 || data[0] < 'a' || data[0] >= 'a' + kReaders.size()) return -1;
  file.hold(data + 1, size - 1);
  try {
    kReaders[static_cast<std::size_t>(data[0] - 'a')](file.path);
  } catch (const torchada::TableError& error) {
    const std::string text = error.what();
    const std::string place = file.path + ":";
    if (text.compare(0, place.size(), place) != 0 ||
        std::isdigit(static_cast<unsigned char>(text[place.size()])) == 0) {
      std::fprintf(stderr, "without file and line: %s\n", text.c_str());
      std::abort();
    }
  }
  return 0;
}

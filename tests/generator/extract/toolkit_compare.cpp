// Extracts the CUDA toolkit of this machine again and compares it with the committed tables.
//
//   toolkit_compare MAPPINGS TOOLKIT           they must agree
//   toolkit_compare MAPPINGS TOOLKIT --seeded  changes planted in a copy of the tables must be
//   found
//
// Exits with 77 (skipped, to ctest) and a message if there is no toolkit of a known release.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "generator/extract/extract.h"
#include "generator/extract/extract_cuda.h"

namespace {

namespace fs = std::filesystem;
using namespace torchada;

constexpr int kSkipped = 77;

int skip(const std::string& reason) {
  std::cout << "SKIPPED: " << reason << "; the tables were not compared with real libraries\n";
  return kSkipped;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// "13.0" if cuda_runtime_api.h says 13000; empty if it says nothing.
std::string toolkit_release(const SdkFolders& folders) {
  const std::string text = read_text(find_header("cuda_runtime_api.h", folders.include));
  const std::string marker = "#define CUDART_VERSION";
  const std::size_t at = text.find(marker);
  if (at == std::string::npos) return "";
  const int version = std::atoi(text.c_str() + at + marker.size());
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

struct Seed {
  const char* table;
  const char* from;  // The first occurrence after `symbol` is replaced.
  const char* to;
  const char* symbol;
  const char* expected;  // Part of the line that must be reported.
};

constexpr Seed kSeeds[] = {
    {"cudart", "[size_t, size]", "[int, size]", "\n  cudaMalloc:", "cudaMalloc: {R}: prototype"},
    {"cudart", "cudaMalloc", "cudaMallocate", "\n  cudaMalloc", "cudaMallocate: {R}: in the table"},
    {"cudart", ": 2\n", ": 3\n", "\n  cudaMemcpyKind:", "cudaMemcpyKind: {R}: value"},
    {"cudart", ", 8]", ", 9]", "\n  cudaExtent:", "cudaExtent: {R}: field"},
    {"nccl", "    weak: true\n", "", "\n  ncclAllReduce:", "ncclAllReduce: {R}: binding"},
    {"entry_points", "3020", "3030",
     "\n  cuMemAlloc:", "cuMemAlloc: {R}: table cuMemAlloc from 2000"},
    {"curand", "libcurand.so.10", "libcurand.so.9", "\n  \"{R}\":", "library: {R}: SONAME"},
};

std::string with_release(std::string text, const std::string& release) {
  const std::size_t at = text.find("{R}");
  return at == std::string::npos ? text : text.replace(at, 3, release);
}

// Each seed gets its own copy of the tables, so that none hides another.
int run_seeded(const std::string& mappings, const std::string& release, const std::string& root) {
  int missed = 0;
  for (const Seed& seed : kSeeds) {
    const fs::path copy =
        fs::temp_directory_path() / ("torchada_seeded_" + std::to_string(getpid()));
    fs::create_directories(copy);
    fs::copy(mappings + "/cuda", copy / "cuda", fs::copy_options::recursive);
    fs::copy(mappings + "/libraries.yaml", copy);
    const fs::path file = copy / "cuda" / (std::string(seed.table) + ".yaml");
    std::string text = read_text(file);
    const std::size_t start = text.find(with_release(seed.symbol, release));
    const std::size_t at = start == std::string::npos ? start : text.find(seed.from, start);
    if (at == std::string::npos) {
      std::cout << "cannot plant '" << seed.to << "' in " << seed.table << "\n";
      fs::remove_all(copy);
      return 1;
    }
    text.replace(at, std::string(seed.from).size(), seed.to);
    std::ofstream(file, std::ios::binary) << text;

    ExtractCudaOptions options;
    options.mappings = copy;
    options.releases = {release + "=" + root};
    options.compare = true;
    std::ostringstream out;
    std::ostringstream error;
    const int status = run_extract_cuda(options, out, error);
    fs::remove_all(copy);
    const std::string expected = with_release(seed.expected, release);
    const bool found = status == 1 && out.str().find(expected) != std::string::npos;
    std::cout << (found ? "found:  " : "MISSED: ") << expected << "\n";
    if (!found) std::cout << "status " << status << "\n" << out.str() << error.str();
    missed += found ? 0 : 1;
  }
  return missed == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3 || count > 4) {
    std::cerr << "usage: toolkit_compare MAPPINGS TOOLKIT [--seeded]\n";
    return 2;
  }
  const std::string mappings = arguments[1];
  const std::string root = arguments[2];
  try {
    if (!fs::is_directory(root)) return skip("no CUDA toolkit at " + root);
    const CudaReleases releases = read_cuda_releases(mappings + "/cuda/releases.yaml");
    const SdkFolders folders = find_sdk_folders({root});
    const std::string release = toolkit_release(folders);
    if (releases.index_of(release) < 0) {
      return skip("the toolkit at " + root + " is '" + release + "', no release of the tables");
    }
    for (const ReplacementLibrary& library :
         read_registry(mappings + "/libraries.yaml").libraries) {
      // A library whose exports are read from its headers is in no toolkit.
      if (!library.exports_declared && find_library(library.stem, folders.library).empty()) {
        return skip("the toolkit at " + root + " has no " + library.stem);
      }
    }
    std::cout << "comparing release " << release << " at " << root << "\n";
    if (count == 4) return run_seeded(mappings, release, root);
    ExtractCudaOptions options;
    options.mappings = mappings;
    options.releases = {release + "=" + root};
    options.compare = true;
    return run_extract_cuda(options, std::cout, std::cerr);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}

#include "generator/extract/extract_cuda.h"

#include <algorithm>

namespace torchada {

CudaReleaseRoots parse_release_roots(const std::string& text) {
  CudaReleaseRoots out;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw ExtractError("'" + text + "': expected RELEASE=DIR[:DIR...]");
  }
  out.name = text.substr(0, equals);
  for (std::size_t start = equals + 1; start <= text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    if (end > start) out.roots.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return out;
}

namespace {

std::string soname_of(const ReplacementLibrary& library, int major) {
  for (const auto& [soname, majors] : library.sonames) {
    if (majors.count(major) != 0) return soname;
  }
  throw ExtractError(library.name + ": no SONAME for CUDA " + std::to_string(major));
}

std::vector<LibraryRequest> requests_for(const std::vector<ReplacementLibrary>& libraries,
                                         int major) {
  std::vector<LibraryRequest> out;
  for (const ReplacementLibrary& library : libraries) {
    out.push_back({library.name, library.stem, library.headers, library.included_headers,
                   library.compiler_headers, library.defines, library.included_before,
                   library.exports_declared ? soname_of(library, major) : "", library.structs});
  }
  return out;
}

}  // namespace

std::vector<ReplacementLibrary> libraries_with_headers(
    const std::vector<ReplacementLibrary>& libraries, const std::vector<CudaReleaseRoots>& roots,
    std::ostream& out) {
  std::vector<ReplacementLibrary> found;
  for (const ReplacementLibrary& library : libraries) {
    const std::string& header = library.headers.front();
    const auto has_header = [&](const CudaReleaseRoots& given) {
      return !find_header(header, find_sdk_folders(given.roots).include).empty();
    };
    if (!library.exports_declared || std::all_of(roots.begin(), roots.end(), has_header)) {
      found.push_back(library);
    } else {
      out << "SKIPPED: " << library.stem << " was not compared: no " << header
          << " in the given directories\n";
    }
  }
  return found;
}

std::vector<ReleaseFacts> read_cuda_facts(const std::vector<CudaReleaseRoots>& roots,
                                          const CudaReleases& releases,
                                          const std::vector<ReplacementLibrary>& libraries) {
  for (const CudaReleaseRoots& given : roots) {
    if (releases.index_of(given.name) < 0) {
      throw ExtractError("release '" + given.name + "' is not in " + releases.file);
    }
  }
  std::vector<ReleaseFacts> out;
  for (const CudaReleases::Release& release : releases.releases) {
    for (const CudaReleaseRoots& given : roots) {
      if (given.name != release.name) continue;
      try {
        out.push_back(read_release(release.name, find_sdk_folders(given.roots),
                                   requests_for(libraries, release.abi), {}, true));
      } catch (const std::runtime_error& error) {
        throw ExtractError("release " + release.name + ": " + error.what());
      }
    }
  }
  return out;
}

}  // namespace torchada

#include "tests/recording/witness.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace recording {

Witness::Witness(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != "library,musa,cuda") {
    throw std::runtime_error(file + ": no header 'library,musa,cuda'");
  }
  while (std::getline(in, line)) {
    std::istringstream columns(line);
    std::string library, musa, cuda;
    if (!std::getline(columns, library, ',') || !std::getline(columns, musa, ',')) {
      throw std::runtime_error(file + ": not three columns: " + line);
    }
    std::getline(columns, cuda);  // Empty for a MUSA function that CUDA lacks.
    if (!cuda.empty()) counterparts_[cuda].insert(musa);
  }
}

namespace {

// "cudaX_ptsz", "_v2" -> "cudaX_v2_ptsz"
std::string with_version(const std::string& name, const std::string& version) {
  for (const std::string suffix : {"_ptsz", "_ptds"}) {
    if (name.ends_with(suffix)) {
      return name.substr(0, name.size() - suffix.size()) + version + suffix;
    }
  }
  return name + version;
}

}  // namespace

bool Witness::is_promoted(const std::string& cuda, const std::string& musa) const {
  for (const char* const version : {"_v2", "_v3"}) {
    const auto found = counterparts_.find(with_version(cuda, version));
    if (found != counterparts_.end() && found->second.count(musa)) return true;
  }
  return false;
}

std::string Witness::objection(const std::string& cuda, const std::string& musa) const {
  auto found = counterparts_.find(cuda);
  // NCCL exports every function under a second, strong name for profilers.
  if (found == counterparts_.end() && cuda.starts_with("pnccl")) {
    found = counterparts_.find(cuda.substr(1));
  }
  if (found == counterparts_.end()) {
    return cuda + " is direct to " + musa + ", but the evidence knows no counterpart of it";
  }
  if (found->second.count(musa)) return "";
  std::string known;
  for (const std::string& name : found->second) known += (known.empty() ? "" : " or ") + name;
  return cuda + " is direct to " + musa + ", but by the evidence its counterpart is " + known;
}

}  // namespace recording

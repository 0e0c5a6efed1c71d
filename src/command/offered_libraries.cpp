#include "src/command/offered_libraries.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "generated/own_libraries.h"
#include "src/command/variables.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr char kIncomplete[] = "the installation is incomplete; reinstall torchada";

void require(const fs::path& path, const char* why) {
  if (!fs::exists(path)) throw std::runtime_error(path.string() + " does not exist: " + why);
}

// The major to which names without a version lead. The package leaves that to update-alternatives.
// A container that bind-mounts our directory lacks these names.
std::string major_of_plain_names(const fs::path& all) {
  for (const std::string& major : split(TORCHADA_ABIS, ",")) {
    std::error_code error;
    if (fs::equivalent(all / "libcudart.so", all / ("cu" + major) / "libcudart.so", error)) {
      return major;
    }
  }
  return TORCHADA_DEFAULT_ABI;
}

bool is_offered(const std::string& library, Offered offered) {
  return std::any_of(
      std::begin(kOwnLibraries), std::end(kOwnLibraries),
      [&](const OwnLibrary& item) { return item.name == library && item.offered == offered; });
}

}  // namespace

std::string variable_that_requests(std::string library) {
  for (char& letter : library) letter = static_cast<char>(std::toupper(letter));
  return "TORCHADA_" + library;
}

std::map<std::string, bool> requested_by_variables() {
  std::map<std::string, bool> out;
  for (const OwnLibrary& library : kOwnLibraries) {
    if (library.offered != Offered::kOnRequest) continue;
    const std::string value = environment_variable(variable_that_requests(library.name).c_str());
    out[library.name] = !value.empty() && value != "0";
  }
  return out;
}

bool is_offered_by_run(const std::string& library) { return is_offered(library, Offered::kByRun); }

bool is_offered_on_request(const std::string& library) {
  return is_offered(library, Offered::kOnRequest);
}

std::vector<fs::path> folders_of_run(const fs::path& libraries) {
  std::vector<fs::path> out;
  for (const OwnLibrary& library : kOwnLibraries) {
    if (library.offered == Offered::kByRun) out.push_back(libraries / library.folder);
  }
  return out;
}

fs::path offered_file(const std::string& name, const fs::path& libraries) {
  if (fs::exists(libraries / name)) return libraries / name;
  for (const fs::path& folder : folders_of_run(libraries)) {
    if (fs::exists(folder / name)) return folder / name;
  }
  return "";
}

bool Offer::has(const std::string& library) const {
  return only.empty() || std::find(only.begin(), only.end(), library) != only.end();
}

bool Offer::requests(const std::string& library) const {
  const auto found = requested.find(library);
  return found != requested.end() && found->second;
}

OfferedLibraries::OfferedLibraries(const fs::path& root, const Offer& offer,
                                   const std::string& major)
    : all_(root / "lib") {
  require(all_, kIncomplete);
  if (offer.only.empty()) {
    offer_all(offer, major);
  } else {
    offer_only(offer, major);
  }
  if (offer.abi.empty() && offer.only.empty()) return;
  left_out_.push_back(all_);
  for (const fs::path& folder : folders_of_run(all_)) left_out_.push_back(folder);
}

void OfferedLibraries::offer_all(const Offer& offer, const std::string& major) {
  const fs::path folder = offer.abi.empty() ? all_ : all_ / ("cu" + offer.abi);
  require(folder, "this CUDA major version is not installed");
  folders_.push_back(folder);
  for (const fs::path& more : folders_of_run(all_)) folders_.push_back(more);
  for (const OwnLibrary& library : kOwnLibraries) {
    if (!offer.requests(library.name)) continue;
    folders_.push_back(all_ / library.folder);
    require(folders_.back(), kIncomplete);
  }
  if (!offer.abi.empty()) return;
  const std::string wanted = major.empty() ? major_of_plain_names(all_) : major;
  const fs::path runtime = all_ / ("cu" + wanted) / "libcudart.so";
  std::error_code error;
  if (!fs::equivalent(folder / "libcudart.so", runtime, error)) default_major_ = wanted;
}

fs::path OfferedLibraries::default_folder() const {
  return default_major_.empty() ? fs::path() : all_ / ("cu" + default_major_);
}

// lib/only has a folder for each library of each major, with what the library needs.
void OfferedLibraries::offer_only(const Offer& offer, const std::string& major) {
  complete_ = false;
  std::vector<std::string> majors = {offer.abi};
  if (offer.abi.empty()) {
    majors = split(TORCHADA_ABIS, ",");
    const std::string first = major.empty() ? major_of_plain_names(all_) : major;
    std::stable_partition(majors.begin(), majors.end(),
                          [&](const std::string& item) { return item == first; });
  }
  for (const std::string& item : majors) {
    for (const OwnLibrary& library : kOwnLibraries) {
      if (!offer.has(library.name) || library.offered != Offered::kByDefault) continue;
      folders_.push_back(all_ / "only" / (std::string(library.name) + "-" + item));
      require(folders_.back(), kIncomplete);
    }
  }
  for (const OwnLibrary& library : kOwnLibraries) {
    const bool is_asked_for = offer.has(library.name) || offer.requests(library.name);
    if (!is_asked_for || library.offered == Offered::kByDefault) continue;
    folders_.push_back(all_ / library.folder);
    require(folders_.back(), kIncomplete);
  }
}

fs::path OfferedLibraries::file(const char* unversioned) const {
  // The same file, under the directory that most other lookups use.
  const fs::path chosen = default_folder() / unversioned;
  if (!default_major_.empty() && fs::exists(chosen)) {
    return fs::path(folders_.front()) / fs::canonical(chosen).filename();
  }
  for (const fs::path folder : folders_) {
    const fs::path link = folder / unversioned;
    if (fs::exists(link)) return folder / fs::canonical(link).filename();
  }
  if (complete_) require(fs::path(folders_.front()) / unversioned, kIncomplete);
  return "";
}

}  // namespace torchada

// Which parts of a program behave differently because torchada run offers a driver. Without one,
// many programs go on with the CPU.
#include <algorithm>
#include <filesystem>
#include <set>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/offered_to.h"
#include "src/command/doctor/static_runtimes.h"
#include "src/command/text_layout.h"
#include "src/shared/other_libraries.h"

namespace torchada::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 20000;  // Of one directory with everything below it.
constexpr std::size_t kMostShown = 5;

// What torchada run offers without it.
std::string without_driver(const Subject& subject) {
  std::vector<std::string> names;
  for (const tables::Library& library : subject.tables->libraries) {
    const bool known = std::find(names.begin(), names.end(), library.name) != names.end();
    if (!known && library.offered == "by default") names.push_back(library.name);
  }
  return "to hide the driver from it: torchada run --only=" + joined(names, ",") + " -- COMMAND";
}

bool is_shared_library(const fs::path& path) {
  const std::string name = path.filename();
  return name.starts_with("lib") ? name.find(".so") != std::string::npos : name.ends_with(".so");
}

void add_below(const Subject& subject, const std::string& folder, std::set<std::string>* out) {
  std::error_code error;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(subject.files.here(folder), error), end;
       !error && entry != end && ++seen < kMostEntries; entry.increment(error)) {
    if (is_shared_library(entry->path()) && entry->is_regular_file(error)) {
      out->insert(entry->path());
    }
  }
}

// The libraries of a Python program's tree: of what its script imports, with the folders that
// wheels put beside a package, and of NVIDIA's packages.
std::set<std::string> files_of_modules(const Subject& subject) {
  std::set<std::string> out;
  std::error_code error;
  for (const std::string& folder : subject.module_folders) {
    add_below(subject, folder + "/nvidia", &out);
    for (const std::string& name : subject.imported) {
      const std::string package = folder + "/" + name;
      if (!fs::is_directory(subject.files.here(package), error)) continue;
      add_below(subject, package, &out);
      add_below(subject, package + ".libs", &out);
    }
  }
  return out;
}

std::vector<Evidence> shown(const std::vector<Evidence>& all) {
  std::vector<Evidence> out(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostShown)));
  if (all.size() > kMostShown) {
    out.push_back({"and", std::to_string(all.size() - kMostShown) + " more"});
  }
  return out;
}

}  // namespace

void check_offered_driver(const Subject& subject, Report* report) {
  const std::string driver = offered_to(subject, "by run");
  if (driver.empty()) return;
  std::set<std::string> files = files_of_modules(subject);
  for (const Object& object : subject.objects) files.insert(object.path);
  files.insert(subject.started);
  std::vector<Evidence> with_runtime;
  std::vector<Evidence> of_nvidia;
  std::set<const OtherLibrary*> known;
  for (const std::string& file : files) {
    if (file.empty() || is_ours(subject, file)) continue;
    const OtherLibrary* other = find_other(file.c_str());
    if (other != nullptr ? known.count(other) != 0 : is_nvidia_name(subject, file)) continue;
    if (!contains_static_runtime(subject, file)) continue;
    if (other == nullptr) {
      with_runtime.push_back({"static CUDA runtime", file});
    } else {
      known.insert(other);
      of_nvidia.push_back({other->what, file});
    }
  }
  if (!of_nvidia.empty()) {
    report->add(
        {"driver-for-nvidia", Severity::kWarning,
         "the program finds torchada's driver, so it may use the GPU where it would use the "
         "CPU without a driver; what it then does with these libraries of NVIDIA fails, "
         "because the driver tells them that there is no device",
         shown(of_nvidia), without_driver(subject)});
  }
  if (!with_runtime.empty()) {
    report->add(
        {"driver-for-static", Severity::kNote,
         "these parts find torchada's driver, which tells NVIDIA's static CUDA runtime that "
         "there is no device: their calls return 100 instead of 35 (no driver)",
         shown(with_runtime),
         "nothing, if the program goes on without a device; " + without_driver(subject)});
  }
}

}  // namespace torchada::doctor

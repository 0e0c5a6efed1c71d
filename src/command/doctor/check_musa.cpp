// The MUSA installation that would be used: complete, from one SDK, and new enough.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "src/command/doctor/checks.h"
#include "src/command/installation.h"
#include "src/command/musa_files.h"
#include "src/command/text_layout.h"
#include "src/shared/backend_table.h"

namespace torchada::doctor {
namespace {

struct Installation {
  std::string musart, root;                      // As paths of the tree.
  std::string sdk;                               // As users write it. Empty if unknown.
  int version = 0;                               // major*10000 + minor*100 + patch; 0 if unknown.
  std::map<std::string, std::string> libraries;  // "musart" to its path in the tree.
};

bool readable(const Subject& subject, const std::string& path, Report* report) {
  const ReadElf& read = subject.read(path);
  const std::string why = read.elf ? why_not_loadable(*read.elf) : read.error;
  if (why.empty()) return true;
  if (read.elf) {
    report->add({"musa-other-machine",
                 Severity::kError,
                 "a MUSA library is built for another machine, so it cannot be loaded",
                 {{path, why}},
                 "install the MUSA SDK for this machine"});
    return false;
  }
  report->add({read.unreadable ? "musa-unreadable" : "musa-damaged",
               Severity::kError,
               read.unreadable ? "a MUSA library cannot be read, so it is not used"
                               : "a MUSA library is damaged, so it is not used",
               {{path, why}},
               read.unreadable
                   ? "allow reading: chmod a+r the file, and chmod a+rx the directories above it"
                   : "reinstall the MUSA SDK"});
  return false;
}

const Soname* soname_of(int library, const std::string& file) {
  const Soname* soname = torchada_backend_table.sonames[library];
  for (; soname->name != nullptr; ++soname) {
    if (file == soname->name) return soname;
  }
  return nullptr;
}

// The driver's libraries are where the loader finds them for libmusart. The others are beside
// libmusart, or in the other directories, in the libraries' order.
std::string find_sibling(const Subject& subject, const Installation& musa, int library) {
  if (torchada_backend_table.homes[library] == Home::kDriver) {
    return find_driver(subject, musa.musart, library);
  }
  std::vector<std::string> folders = {folder_of(musa.musart)};
  for (const char* const* sub = torchada_backend_table.subfolders; *sub != nullptr; ++sub) {
    folders.push_back(musa.root + "/" + *sub);
  }
  for (const std::string& folder : folders) {
    const Soname* soname = torchada_backend_table.sonames[library];
    for (; soname->name != nullptr; ++soname) {
      const std::string path = folder + "/" + soname->name;
      if (subject.files.has(path)) return path;
    }
  }
  return "";
}

void examine(const Subject& subject, Installation* musa) {
  musa->root = root_of(musa->musart);
  musa->sdk = sdk_version_of(musa->root, subject.files);
  int major = 0;
  int minor = 0;
  int patch = 0;
  if (std::sscanf(musa->sdk.c_str(), "%d.%d.%d", &major, &minor, &patch) >= 2) {
    musa->version = major * 10000 + minor * 100 + patch;
  }
  for (int i = 0; i < static_cast<int>(BackendLibrary::kCount); ++i) {
    const std::string path =
        i == static_cast<int>(kRuntimeLibrary) ? musa->musart : find_sibling(subject, *musa, i);
    const std::string name = torchada_backend_table.names[i];
    if (!path.empty()) musa->libraries[name.substr(3)] = path;
  }
}

// A file name version, or a link target, that contradicts the installation's SDK.
void check_one_sdk(const Subject& subject, const Installation& musa, Report* report) {
  const Soname* soname = soname_of(static_cast<int>(kRuntimeLibrary), base_name_of(musa.musart));
  if (soname != nullptr && musa.version != 0 &&
      (musa.version < soname->sdk_from || musa.version >= soname->sdk_to)) {
    report->add({"musa-mixed",
                 Severity::kWarning,
                 "one installation holds files of different MUSA SDKs",
                 {{musa.root, "says that it is SDK " + musa.sdk}, {"has", musa.musart}},
                 "install one SDK into an empty directory"});
    return;
  }
  const std::string own_root = root_of(subject.files.here(musa.musart));
  for (const auto& [name, path] : musa.libraries) {
    const std::string place = subject.files.here(path);
    if (place.empty() || root_of(place) == own_root) continue;
    // A package installed elsewhere as a whole is common; a file of another SDK is not.
    const std::string other = sdk_version_of(root_of(subject.files.there(place)), subject.files);
    if (other.empty() || other == musa.sdk) continue;
    report->add({"musa-mixed",
                 Severity::kError,
                 "the installation links to files of different MUSA SDKs",
                 {{musa.musart, "SDK " + musa.sdk},
                  {path, "leads to " + subject.files.there(place) + ", SDK " + other}},
                 "make all links of the installation point into the same SDK"});
    return;
  }
  for (const auto& [name, path] : musa.libraries) {
    const ReadElf& read = subject.read(path);
    const ReadElf& runtime = subject.read(musa.musart);
    if (!read.elf || !runtime.elf || runtime.elf->soname.empty()) continue;
    for (const std::string& needed : read.elf->needed) {
      if (!is_musart(needed) || needed == runtime.elf->soname) continue;
      report->add({"musa-mixed",
                   Severity::kError,
                   "a MUSA library needs another libmusart than the one in its installation",
                   {{path, "needs " + needed}, {musa.musart, "is " + runtime.elf->soname}},
                   "install one SDK into an empty directory"});
      return;
    }
  }
}

// Our libraries that the program or its libraries need: "cublasLt".
std::set<std::string> used(const Subject& subject) {
  std::set<std::string> out;
  const auto add = [&](const std::string& path) {
    const ReadElf& read = subject.read(path);
    if (!read.elf || is_ours(subject, path)) return;
    for (const std::string& needed : read.elf->needed) {
      const std::string stem = stem_of(subject, needed);
      if (!stem.empty()) out.insert(stem.substr(3));
    }
  };
  add(subject.started);
  for (const Object& object : subject.objects) {
    if (!object.path.empty() && object.asker != "dlopen") add(object.path);
  }
  return out;
}

void check_siblings(const Subject& subject, const Installation& musa, Report* report) {
  const std::set<std::string> wanted = used(subject);
  for (int i = 0; i < static_cast<int>(BackendLibrary::kCount); ++i) {
    const std::string file = torchada_backend_table.names[i];
    const std::string name = file.substr(3);
    const auto found = musa.libraries.find(name);
    if (found != musa.libraries.end()) {
      const bool runtime = i == static_cast<int>(kRuntimeLibrary);
      if (!runtime) readable(subject, found->second, report);
      continue;
    }
    // check_driver reports a missing driver.
    if (torchada_backend_table.homes[i] == Home::kDriver) continue;
    const Soname* soname = torchada_backend_table.sonames[i];
    bool exists = musa.version == 0;
    int from = kNoSdkEnd;
    for (; soname->name != nullptr; ++soname) {
      exists = exists || (musa.version >= soname->sdk_from && musa.version < soname->sdk_to);
      from = std::min(from, soname->sdk_from);
    }
    std::string cuda;
    for (const tables::Library& library : subject.tables->libraries) {
      if (library.backend == name) cuda = library.name;
    }
    const bool matters = wanted.count(cuda) != 0;
    if (exists) {
      report->add({"musa-library-missing",
                   matters ? Severity::kError : Severity::kWarning,
                   "MUSA lacks " + file + ": functions of lib" + cuda + " that need it fail",
                   {{musa.root, "has no " + file}},
                   "install the part of the MUSA SDK that contains it"});
    } else if (matters) {
      report->add(
          {"musa-too-old",
           Severity::kWarning,
           "this MUSA has no " + file + " yet, and the program needs lib" + cuda,
           {{musa.root, "SDK " + musa.sdk}, {file, "from SDK " + tables::written_sdk(from)}},
           "install a newer MUSA SDK"});
    }
  }
}

// Functions that the program imports and that only a newer SDK has.
void check_functions(const Subject& subject, const Installation& musa, Report* report) {
  const ReadElf& read = subject.read(subject.started);
  if (musa.version == 0 || !read.elf) return;
  std::set<std::string> imports;
  for (const ElfImport& import : read.elf->imports) imports.insert(import.name);
  std::set<std::string> lacking;
  int from = 0;
  for (const tables::Library& library : subject.tables->libraries) {
    const bool linked = std::any_of(
        read.elf->needed.begin(), read.elf->needed.end(),
        [&](const std::string& needed) { return base_name_of(needed) == library.soname; });
    if (!linked) continue;
    for (const tables::Symbol& symbol : library.symbols) {
      if (symbol.sdk.empty() || imports.count(symbol.name) == 0) continue;
      int first = kNoSdkEnd;
      bool has = false;
      for (const tables::SdkRange& range : symbol.sdk) {
        has = has || range.contains(musa.version);
        if (range.from > musa.version) first = std::min(first, range.from);
      }
      if (has || first == kNoSdkEnd) continue;
      lacking.insert(symbol.name);
      from = std::max(from, first);
    }
  }
  if (lacking.empty()) return;
  report->add(
      {"musa-too-old",
       Severity::kWarning,
       "the program uses functions that need a newer MUSA SDK",
       {{musa.root, "SDK " + musa.sdk},
        {"needs SDK " + tables::written_sdk(from), joined({lacking.begin(), lacking.end()})}},
       "install a newer MUSA SDK"});
}

}  // namespace

void check_musa(const Subject& subject, Report* report) {
  if (report->has("not-loaded")) return;
  Installation musa;
  musa.musart = find_musart(subject, report);
  if (musa.musart.empty()) {
    report->fact("MUSA", "not found");
    return;
  }
  report->fact("MUSA", musa.musart);
  if (!readable(subject, musa.musart, report)) return;
  examine(subject, &musa);
  if (!musa.sdk.empty()) report->fact("SDK", musa.sdk);
  check_one_sdk(subject, musa, report);
  check_siblings(subject, musa, report);
  check_functions(subject, musa, report);
  const bool stand_in = is_stand_in(musa.musart, subject.files);
  bool answers = false;
  if (subject.knows_environment) {
    answers = check_devices(subject, musa.musart, stand_in, report);
  }
  if (!stand_in) {
    check_driver(subject, musa.musart, answers, report);
    return;
  }
  report->add({"stand-in",
               Severity::kNote,
               "programs run on the CPU stand-in: no GPU is used",
               {{"libmusart", musa.musart}},
               subject.stand_in_by_run || subject.variable("TORCHADA_MUSA_PATH").empty()
                   ? "to use a GPU, install the MUSA SDK"
                   : "to use an installed MUSA, unset TORCHADA_MUSA_PATH"});
}

}  // namespace torchada::doctor

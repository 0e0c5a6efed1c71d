// The MUSA installation that would be used: whole, of one SDK, and new enough.
#include <algorithm>
#include <set>

#include "checks.h"
#include "installation.h"
#include "musa_files.h"
#include "table.h"

namespace torchada::doctor {
namespace {

struct Installation {
  std::string musart;  // As a path of the tree.
  std::string root;    // The same.
  MusaFiles files;     // With paths of this machine.
};

bool readable(const Subject& subject, const std::string& path, Report* report) {
  const ReadElf& read = subject.read(path);
  if (read.elf && read.elf->bits == 64) return true;
  report->add({read.unreadable ? "musa-unreadable" : "musa-damaged",
               Severity::kError,
               read.unreadable ? "a library of MUSA cannot be read, so it is not used"
                               : "a library of MUSA is damaged, so it is not used",
               {{path, read.elf ? "is not for 64 bits" : read.error}},
               read.unreadable ? "chmod a+r it, and a+rx the folders above"
                               : "install the MUSA SDK again"});
  return false;
}

const Soname* soname_of(int library, const std::string& file) {
  const Soname* soname = torchada_backend_table.sonames[library];
  for (; soname->name != nullptr; ++soname) {
    if (file == soname->name) return soname;
  }
  return nullptr;
}

// A version in a file's name, or its links, that contradicts the installation's.
void check_one_sdk(const Subject& subject, const Installation& musa, Report* report) {
  const Soname* soname =
      soname_of(static_cast<int>(BackendLibrary::kMusart), base_name_of(musa.musart));
  if (soname != nullptr && musa.files.version != 0 &&
      (musa.files.version < soname->sdk_from || musa.files.version >= soname->sdk_to)) {
    report->add({"musa-mixed",
                 Severity::kWarning,
                 "files of different MUSA SDKs lie in one installation",
                 {{musa.root, "calls itself SDK " + musa.files.sdk}, {"has", musa.musart}},
                 "install one SDK anew, into an empty folder"});
    return;
  }
  const std::string own_root = root_of(subject.files.here(musa.musart));
  for (const auto& [name, file] : musa.files.libraries) {
    const std::string path = subject.files.there(file.path);
    const std::string place = subject.files.here(path);
    if (place.empty() || root_of(place) == own_root) continue;
    // A package that lies elsewhere as a whole is common; another SDK's file is not.
    const std::string other = sdk_version_of(root_of(place));
    if (other.empty() || other == musa.files.sdk) continue;
    report->add({"musa-mixed",
                 Severity::kError,
                 "files of different MUSA SDKs are mixed",
                 {{musa.musart, "SDK " + musa.files.sdk},
                  {path, "leads to " + subject.files.there(place) + ", SDK " + other}},
                 "let all links of the installation lead into one SDK"});
    return;
  }
  for (const auto& [name, file] : musa.files.libraries) {
    const ReadElf& read = subject.read(subject.files.there(file.path));
    const ReadElf& runtime = subject.read(musa.musart);
    if (!read.elf || !runtime.elf || runtime.elf->soname.empty()) continue;
    for (const std::string& needed : read.elf->needed) {
      if (!is_musart(needed) || needed == runtime.elf->soname) continue;
      report->add({"musa-mixed",
                   Severity::kError,
                   "a library of MUSA wants another libmusart than the one beside it",
                   {{subject.files.there(file.path), "needs " + needed},
                    {musa.musart, "is " + runtime.elf->soname}},
                   "install one SDK anew, into an empty folder"});
      return;
    }
  }
}

// Our libraries that the program or its libraries ask for: "cublasLt".
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
    const auto found = musa.files.libraries.find(name);
    if (found != musa.files.libraries.end()) {
      const bool runtime = i == static_cast<int>(BackendLibrary::kMusart);
      if (!runtime) readable(subject, subject.files.there(found->second.path), report);
      continue;
    }
    const Soname* soname = torchada_backend_table.sonames[i];
    bool exists = musa.files.version == 0;
    int from = kNewestSdk;
    for (; soname->name != nullptr; ++soname) {
      exists =
          exists || (musa.files.version >= soname->sdk_from && musa.files.version < soname->sdk_to);
      from = std::min(from, soname->sdk_from);
    }
    std::string cuda;
    for (const tables::Library& library : subject.tables.libraries) {
      if (library.backend == name) cuda = library.name;
    }
    const bool matters = wanted.count(cuda) != 0;
    if (exists) {
      report->add({"musa-library-missing",
                   matters ? Severity::kError : Severity::kWarning,
                   "MUSA lacks " + file + ": every function of lib" + cuda + " that needs it fails",
                   {{musa.root, "has no " + file}},
                   "install the part of the MUSA SDK that has it"});
    } else if (matters) {
      report->add(
          {"musa-too-old",
           Severity::kWarning,
           "this MUSA has no " + file + " yet, and the program needs lib" + cuda,
           {{musa.root, "SDK " + musa.files.sdk}, {file, "from SDK " + tables::written_sdk(from)}},
           "use a newer MUSA SDK"});
    }
  }
}

// Functions that the program imports and a newer SDK has.
void check_functions(const Subject& subject, const Installation& musa, Report* report) {
  const ReadElf& read = subject.read(subject.started);
  if (musa.files.version == 0 || !read.elf) return;
  std::set<std::string> imports;
  for (const ElfImport& import : read.elf->imports) imports.insert(import.name);
  std::set<std::string> lacking;
  int from = 0;
  for (const tables::Library& library : subject.tables.libraries) {
    const bool linked = std::any_of(
        read.elf->needed.begin(), read.elf->needed.end(),
        [&](const std::string& needed) { return base_name_of(needed) == library.soname; });
    if (!linked) continue;
    for (const tables::Symbol& symbol : library.symbols) {
      if (symbol.sdk.empty() || imports.count(symbol.name) == 0) continue;
      int first = kNewestSdk;
      bool has = false;
      for (const tables::SdkRange& range : symbol.sdk) {
        has = has || range.contains(musa.files.version);
        if (range.from > musa.files.version) first = std::min(first, range.from);
      }
      if (has || first == kNewestSdk) continue;
      lacking.insert(symbol.name);
      from = std::max(from, first);
    }
  }
  if (lacking.empty()) return;
  report->add(
      {"musa-too-old",
       Severity::kWarning,
       "the program uses functions that this MUSA does not have yet",
       {{musa.root, "SDK " + musa.files.sdk},
        {"needs SDK " + tables::written_sdk(from), joined({lacking.begin(), lacking.end()})}},
       "use a newer MUSA SDK"});
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
  // The folder of this machine under the name that the tree has for the file.
  const std::string place =
      subject.files.here(folder_of(musa.musart)) + "/" + base_name_of(musa.musart);
  musa.files = read_musa_files(place);
  musa.root = subject.files.there(musa.files.root);
  if (!musa.files.sdk.empty()) report->fact("SDK", musa.files.sdk);
  check_one_sdk(subject, musa, report);
  check_siblings(subject, musa, report);
  check_functions(subject, musa, report);
  bool answers = false;
  if (subject.knows_environment) {
    answers = check_devices(subject, musa.musart, musa.files.is_stand_in, report);
  }
  if (!musa.files.is_stand_in) {
    check_driver(subject, musa.musart, answers, report);
    return;
  }
  report->add({"stand-in",
               Severity::kNote,
               "this is the CPU stand-in: no GPU is used",
               {{"libmusart", musa.musart}},
               "unset TORCHADA_MUSA_PATH where there is a MUSA"});
}

}  // namespace torchada::doctor

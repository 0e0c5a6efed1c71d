// Which libraries the loader uses, and why.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/search.h"
#include "src/command/run_path.h"
#include "src/shared/split.h"

namespace torchada::doctor {
namespace {

constexpr char kByAudit[] =
    "start it with: torchada run --via=audit -- COMMAND (this takes precedence over every search "
    "path)";

bool same_file(const Subject& subject, const std::string& a, const std::string& b) {
  const std::string place = subject.files.here(a);
  return !place.empty() && place == subject.files.here(b);
}

// The program or library whose DT_RPATH leads to `path`.
std::string led_by_rpath(const Subject& subject, const Object& object, std::string* rpath) {
  for (const std::string& file : {object.asker, subject.started}) {
    if (file.find('/') == std::string::npos) continue;
    const ReadElf& read = subject.read(file);
    if (!read.elf || !read.elf->rpath || read.elf->runpath) continue;
    for (const std::string& folder : run_path(file, *read.elf->rpath)) {
      if (!same_file(subject, folder, folder_of(object.path))) continue;
      *rpath = *read.elf->rpath;
      return file;
    }
  }
  return "";
}

bool preloaded(const Subject& subject, const Object& object) {
  for (const std::string& entry : split(subject.variable("LD_PRELOAD"), ": ")) {
    if (same_file(subject, entry, object.path)) return true;
    const bool bare = entry.find('/') == std::string::npos;
    if (bare && entry == base_name_of(object.path)) return true;
  }
  return false;
}

// The entry of LD_LIBRARY_PATH that leads to `path`. Sets `ours` to the first later entry with our
// library.
std::string led_by_library_path(const Subject& subject, const std::string& path,
                                std::string* ours) {
  std::string found;
  for (const std::string& folder : split(subject.variable("LD_LIBRARY_PATH"), ":;")) {
    if (found.empty() && same_file(subject, folder, folder_of(path))) {
      found = folder;
    } else if (!found.empty() && is_ours(subject, folder + "/" + base_name_of(path))) {
      *ours = folder;
      return found;
    }
  }
  return found;
}

Finding rival(const Subject& subject, const Object& object) {
  const std::string name = base_name_of(object.name);
  std::vector<Evidence> evidence = {{name, object.path}};
  std::string rpath;
  const std::string led = led_by_rpath(subject, object, &rpath);
  if (preloaded(subject, object)) {
    evidence.push_back({"LD_PRELOAD", subject.variable("LD_PRELOAD")});
    return {"preload-other", Severity::kError,
            "LD_PRELOAD loads another " + name + " before torchada's", evidence,
            "remove it from LD_PRELOAD"};
  }
  if (!led.empty()) {
    evidence.push_back({"DT_RPATH of " + led, rpath});
    return {"dt-rpath", Severity::kError,
            "DT_RPATH leads to another " + name + ", and LD_LIBRARY_PATH cannot change that",
            evidence, kByAudit};
  }
  std::string ours;
  const std::string entry = led_by_library_path(subject, object.path, &ours);
  if (!entry.empty()) {
    evidence.push_back({"LD_LIBRARY_PATH", subject.variable("LD_LIBRARY_PATH")});
    if (!ours.empty()) evidence.push_back({"comes after it", ours});
    return {"library-path-order", Severity::kError,
            "LD_LIBRARY_PATH leads to a " + name + " that is not torchada's", evidence,
            "put " + (ours.empty() ? subject.installation + "/lib" : ours) + " before " + entry +
                ", or start it with: torchada run -- COMMAND"};
  }
  if (object.asker.find('/') != std::string::npos) {
    evidence.push_back({"needed by", object.asker});
  }
  const Severity severity = subject.has_program ? Severity::kError : Severity::kWarning;
  return {"nvidia-first", severity, "the loader finds a " + name + " that is not torchada's",
          evidence, kByAudit};
}

// Combines all libraries found for the same reason into one finding.
void add_rival(const Finding& finding, std::vector<Finding>* rivals) {
  for (Finding& known : *rivals) {
    if (known.id != finding.id || known.remedy != finding.remedy) continue;
    known.evidence.insert(known.evidence.begin() + 1, finding.evidence.front());
    return;
  }
  rivals->push_back(finding);
}

// Whether only programs that torchada run starts are meant to find it, and this one is not linked
// with it.
bool is_for_run(const Subject& subject, const Object& object) {
  if (subject.mode == Mode::kProcess || subject.as_run || object.asker != "dlopen") return false;
  const auto& all = subject.tables->libraries;
  return std::any_of(all.begin(), all.end(), [&](const tables::Library& library) {
    return library.soname == object.name && library.by_run();
  });
}

void check_rivals(const Subject& subject, Report* report) {
  std::vector<Finding> rivals;
  std::set<std::string> with_ours;
  for (const Object& object : subject.objects) {
    if (!object.path.empty() && is_ours(subject, object.path)) {
      with_ours.insert(stem_of(subject, object.path));
    }
  }
  std::set<std::string> seen;
  for (const Object& object : subject.objects) {
    const std::string stem = stem_of(subject, object.path);
    if (stem.empty() || is_ours(subject, object.path) || is_for_run(subject, object)) continue;
    if (!seen.insert(subject.files.here(object.path)).second) continue;
    const ReadElf& read = subject.read(object.path);
    if (!read.elf && subject.mode != Mode::kProcess) {
      report->add({read.unreadable ? "library-unreadable" : "library-damaged",
                   Severity::kError,
                   "the loader finds a " + base_name_of(object.name) + " that cannot be loaded",
                   {{object.path, read.error}},
                   "remove or repair it; " + std::string(kByAudit)});
      continue;
    }
    if (subject.mode != Mode::kProcess) {
      add_rival(rival(subject, object), &rivals);
    } else if (with_ours.count(stem) != 0) {
      report->add({"nvidia-also",
                   Severity::kError,
                   "another " + stem + " is loaded in the process in addition to torchada's",
                   {{"mapped", object.path}},
                   "find out what loads it (LD_DEBUG=libs); " + std::string(kByAudit)});
    } else {
      report->add({"nvidia-first",
                   Severity::kError,
                   "the " + stem + " in the process is not torchada's",
                   {{"mapped", object.path}},
                   kByAudit});
    }
  }
  for (const Finding& finding : rivals) report->add(finding);
}

std::string shown_library_path(const Subject& subject) {
  const std::string value = subject.variable("LD_LIBRARY_PATH");
  return value.empty() ? "not set" : value;
}

std::string how_to_find(const Subject& subject, const std::string& name) {
  const std::string run = "start it with: torchada run -- COMMAND";
  for (const tables::Library& library : subject.tables->libraries) {
    if (library.soname == base_name_of(name) && library.by_run()) {
      return run + "; only programs that it starts find this library";
    }
    if (library.soname == base_name_of(name) && library.on_request()) {
      return "start it with: torchada run --" + library.name +
             " -- COMMAND; this library is offered on request only";
    }
  }
  if (subject.as_run) {
    return "torchada provides no library of this name: use a build of the program for CUDA 11, 12 "
           "or "
           "13";
  }
  return run + ", or add " + subject.installation + "/lib to LD_LIBRARY_PATH";
}

// What the loader did not find. The loader skips files that it cannot open, and stops at damaged
// ones.
void check_missing(const Subject& subject, Report* report) {
  bool any_found = false;
  for (const Object& object : subject.objects) {
    any_found = any_found || !stem_of(subject, object.path).empty();
  }
  bool all_missing = subject.asked_by_name && !any_found;
  for (const Object& object : subject.objects) {
    const std::string stem = stem_of(subject, object.name);
    if (!object.path.empty() || stem.empty()) continue;
    const std::string asker = object.asker == "dlopen" ? subject.started : object.asker;
    const std::string broken = search(subject, asker, object.name);
    const ReadElf& read = subject.read(broken);
    if (!broken.empty() && !read.elf) {
      report->add({read.unreadable ? "library-unreadable" : "library-damaged",
                   Severity::kError,
                   object.name + " cannot be loaded",
                   {{broken, read.error}},
                   "remove or repair it"});
      all_missing = false;
    } else if (object.asker != "dlopen") {
      report->add({"library-not-found",
                   Severity::kError,
                   "the program does not start: the loader does not find " + object.name,
                   {{"needed by", object.asker.empty() ? subject.started : object.asker},
                    {"LD_LIBRARY_PATH", shown_library_path(subject)}},
                   how_to_find(subject, object.name)});
    }
  }
  if (!all_missing) return;
  const bool matters = subject.has_program && !report->has("static-cudart");
  report->add({"nothing-found",
               matters ? Severity::kError : Severity::kNote,
               subject.has_program
                   ? "the program finds no CUDA library by name, neither torchada's nor another one"
                   : "programs find torchada's libraries only if torchada run starts them",
               {{"LD_LIBRARY_PATH", shown_library_path(subject)}},
               "start programs with: torchada run -- COMMAND, or add " + subject.installation +
                   "/lib to LD_LIBRARY_PATH"});
}

void check_refusal(const Subject& subject, Report* report) {
  if (subject.loader_complains.empty() || report->has("library-damaged") ||
      report->has("library-not-found") || report->has("library-unreadable")) {
    return;
  }
  std::string text = subject.loader_complains;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  // Example: "PROGRAM: error while loading shared libraries: libcudart.so.12: file too short"
  for (const std::string& word : split(text, " :\n")) {
    if (stem_of(subject, word).empty()) continue;
    const std::string path = search(subject, subject.started, word);
    report->add({"library-damaged",
                 Severity::kError,
                 "the loader refuses " + base_name_of(word),
                 {{path.empty() ? word : path, text}},
                 "remove or repair it"});
    return;
  }
  report->add({"library-not-found",
               Severity::kError,
               "the loader cannot load the program",
               {{"loader", text}},
               "install what is missing"});
}

// Its lib/, below which a library may lie in a folder of its own or of a CUDA major.
std::string installation_of(const Subject& subject, const std::string& path) {
  const std::string folder = folder_of(subject.files.here(path));
  const std::string name = base_name_of(folder);
  const bool is_below =
      name.starts_with("cu") ||
      std::any_of(subject.tables->libraries.begin(), subject.tables->libraries.end(),
                  [&](const tables::Library& library) {
                    return !library.folder.empty() && library.folder == name;
                  });
  return is_below ? folder_of(folder) : folder;
}

void check_mixture(const Subject& subject, Report* report) {
  std::map<std::string, std::map<std::string, std::string>> majors;
  std::map<std::string, std::string> installations;
  for (const Object& object : subject.objects) {
    const std::string stem = stem_of(subject, object.path);
    if (stem.empty()) continue;
    if (is_ours(subject, object.path)) {
      installations.emplace(installation_of(subject, object.path), object.path);
    }
    const std::string name = version_of_name(object.name).empty() ? object.path : object.name;
    const std::string major = version_of_name(name);
    if (object.asker != "dlopen" && !major.empty()) majors[stem].emplace(major, object.path);
  }
  for (const auto& [stem, by_major] : majors) {
    if (by_major.size() < 2) continue;
    std::vector<Evidence> evidence;
    for (const auto& [major, path] : by_major) evidence.push_back({stem + " " + major, path});
    report->add({"two-majors", Severity::kWarning,
                 "two CUDA major versions of " + stem + " are used together: their structs differ",
                 evidence,
                 "use builds of the program and its libraries for the same CUDA major version"});
    break;
  }
  if (installations.size() < 2) return;
  std::vector<Evidence> evidence;
  for (const auto& [folder, path] : installations) evidence.push_back({folder, path});
  report->add({"two-installations", Severity::kWarning,
               "libraries of two torchada installations are mixed", evidence,
               "keep only one of them in the search paths"});
}

// Limiters and tracers of memory replace functions of the driver. CUDA's runtime calls these,
// MUSA's does not.
void check_interposers(const Subject& subject, Report* report) {
  constexpr const char* kReplaced[] = {"cuMemAlloc_v2", "cuLaunchKernel", "cuInit"};
  std::vector<std::string> files = split(subject.variable("LD_PRELOAD"), ": ");
  if (const std::string list = subject.files.here("/etc/ld.so.preload"); !list.empty()) {
    std::ifstream in(list);
    for (std::string file; in >> file;) files.push_back(file);
  }
  for (const std::string& file : files) {
    std::string path = file;
    for (const Object& object : subject.objects) {
      if (object.name == file && !object.path.empty()) path = object.path;
    }
    if (path.find('/') == std::string::npos || is_ours(subject, path)) continue;
    const ReadElf& read = subject.read(path);
    if (!read.elf) continue;
    const auto replaced = std::find_if(
        read.elf->exports.begin(), read.elf->exports.end(), [&](const ElfExport& item) {
          return std::any_of(std::begin(kReplaced), std::end(kReplaced),
                             [&](const char* name) { return item.name == name; });
        });
    if (replaced == read.elf->exports.end()) continue;
    report->add({"interposer",
                 Severity::kWarning,
                 "a preloaded library replaces functions of the CUDA driver: it sees calls of the "
                 "driver only, not those of the CUDA runtime (cudaMalloc), so it does not limit or "
                 "count them",
                 {{path, "defines " + replaced->name}},
                 "do not rely on its limits; limit the memory of the stand-in with "
                 "TORCHADA_HOST_MEMORY, and MUSA's by its own means"});
  }
}

void add_facts(const Subject& subject, Report* report) {
  std::set<std::string> seen;
  for (const Object& object : subject.objects) {
    const std::string name = base_name_of(object.name);
    if (stem_of(subject, name).empty() || !seen.insert(name + object.path).second) continue;
    const std::string whose = is_ours(subject, object.path) ? " (torchada's)" : " (not torchada's)";
    report->fact(name, object.path.empty() ? "not found" : object.path + whose);
  }
}

}  // namespace

void check_libraries(const Subject& subject, Report* report) {
  check_rivals(subject, report);
  check_missing(subject, report);
  check_refusal(subject, report);
  check_mixture(subject, report);
  check_interposers(subject, report);
  for (const std::string& path : subject.replaced) {
    if (stem_of(subject, path).empty() && !is_musart(path)) continue;
    report->add({"library-replaced",
                 Severity::kWarning,
                 "a library file was replaced or removed, and the process still uses the old one",
                 {{"mapped", path}},
                 "restart the process"});
  }
  const bool any =
      std::any_of(subject.objects.begin(), subject.objects.end(),
                  [&](const Object& object) { return !stem_of(subject, object.path).empty(); });
  if (subject.mode == Mode::kProcess && !any && subject.replaced.empty()) {
    report->add({"not-loaded",
                 Severity::kNote,
                 "the process has not loaded a CUDA library (yet)",
                 {{"process", subject.word}},
                 "check the command instead: torchada doctor -- COMMAND"});
  }
  add_facts(subject, report);
}

}  // namespace torchada::doctor

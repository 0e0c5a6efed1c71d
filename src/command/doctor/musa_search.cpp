// Where the libraries look for MUSA, in their order.
#include <cstring>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/search.h"
#include "src/command/installation.h"
#include "src/command/text_layout.h"
#include "src/shared/backend_table.h"
#include "src/shared/split.h"

namespace torchada::doctor {
namespace {

constexpr int kMusart = static_cast<int>(kRuntimeLibrary);

// A libmusart in the process has priority over everything else.
std::string find_mapped(const Subject& subject, Report* report) {
  std::string found;
  for (const Object& object : subject.objects) {
    if (object.path.empty() || !is_musart(object.path)) continue;
    if (found.empty()) {
      found = object.path;
    } else if (subject.files.here(found) != subject.files.here(object.path)) {
      report->add({"musa-runtime-twice",
                   Severity::kError,
                   "two MUSA runtimes are loaded in the process: each has its own devices, streams "
                   "and memory",
                   {{"libmusart", found}, {"libmusart", object.path}},
                   "keep only one MUSA installation in LD_LIBRARY_PATH, LD_PRELOAD and DT_RPATH"});
    }
  }
  return found;
}

std::string find_by_variables(const Subject& subject, Report* report, bool* ordered) {
  std::string found;
  std::string by;
  for (const char* const* name = torchada_backend_table.root_variables; *name != nullptr; ++name) {
    const std::string root = subject.variable(*name);
    if (root.empty()) continue;
    const std::string path = find_musa_in(root, subject.files);
    const bool order = std::strncmp(*name, "TORCHADA_", 9) == 0;
    if (path.empty()) {
      report->add({order ? "musa-path-wrong" : "musa-hint-wrong",
                   order ? Severity::kError : Severity::kWarning,
                   std::string(*name) + " names a directory without libmusart" +
                       (order ? ", and no other place is tried" : ""),
                   {{*name, root + (subject.files.has(root) ? "" : " (does not exist)")},
                    {"looked for", "lib/libmusart.so.*, mccl/lib/libmusart.so.*"}},
                   std::string("correct or unset ") + *name});
    } else if (found.empty()) {
      found = path;
      by = *name;
    } else if (by != "TORCHADA_MUSA_PATH" &&
               subject.files.here(path) != subject.files.here(found)) {
      report->add({"musa-mixed",
                   Severity::kWarning,
                   "environment variables name different MUSA installations",
                   {{by, found}, {*name, path}},
                   "set them to the same installation"});
    }
    if (order) {
      *ordered = true;
      if (path.empty()) return "";
    }
  }
  return found;
}

std::string find_by_loader(const Subject& subject) {
  if (subject.mode == Mode::kHere) return find_musa();
  const Soname* soname = torchada_backend_table.sonames[kMusart];
  for (; soname->name != nullptr; ++soname) {
    const std::string path = search(subject, "", soname->name);
    if (!path.empty()) return path;
  }
  return "";
}

// Where MUSA is looked for, in order.
std::vector<std::string> places() {
  std::vector<std::string> out;
  for (const auto* list :
       {torchada_backend_table.root_variables, torchada_backend_table.default_roots}) {
    for (const char* const* place = list; *place != nullptr; ++place) out.emplace_back(*place);
  }
  out.emplace_back("the loader's search path");
  return out;
}

// What libraries linked with MUSA get, regardless of which MUSA torchada opens.
void check_library_path(const Subject& subject, const std::string& musart, Report* report) {
  for (const std::string& folder : split(subject.variable("LD_LIBRARY_PATH"), ":;")) {
    const Soname* soname = torchada_backend_table.sonames[kMusart];
    for (; soname->name != nullptr; ++soname) {
      const std::string path = folder + "/" + soname->name;
      if (!subject.files.has(path)) continue;
      if (subject.files.here(path) == subject.files.here(musart)) return;
      report->add({"musa-mixed",
                   Severity::kWarning,
                   "LD_LIBRARY_PATH names another MUSA than the one that torchada opens",
                   {{"torchada opens", musart}, {"LD_LIBRARY_PATH", path}},
                   "keep only one MUSA installation in the environment"});
      return;
    }
  }
}

}  // namespace

std::string find_musart(const Subject& subject, Report* report) {
  const std::string mapped = find_mapped(subject, report);
  bool ordered = false;
  std::string found = find_by_variables(subject, report, &ordered);
  for (const char* const* root = torchada_backend_table.default_roots;
       found.empty() && !ordered && *root != nullptr; ++root) {
    found = find_musa_in(*root, subject.files);
  }
  if (found.empty() && !ordered && mapped.empty()) found = find_by_loader(subject);
  if (!mapped.empty()) {
    const bool other = !found.empty() && subject.files.here(found) != subject.files.here(mapped);
    if (other) {
      report->add({"musa-loaded-other",
                   Severity::kWarning,
                   "the program loads its own MUSA; torchada uses that one, not the one that the "
                   "variables name",
                   {{"the program loads", mapped}, {"set", found}},
                   "make the variables name the same installation"});
    }
    return mapped;
  }
  if (!found.empty()) check_library_path(subject, found, report);
  if (found.empty() && !report->has("musa-path-wrong")) {
    report->add({"musa-missing",
                 Severity::kError,
                 "no MUSA was found: every call returns the error for a missing driver",
                 {{"looked for", joined(places())}},
                 "install the MUSA SDK, or set TORCHADA_MUSA_PATH to its directory; to run on the "
                 "CPU: torchada run --backend=host -- COMMAND"});
  }
  return found;
}

}  // namespace torchada::doctor

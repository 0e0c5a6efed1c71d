// Variables with bad paths, left switched on, or in conflict; and the map to MUSA's names.
#include <algorithm>

#include "src/command/doctor/checks.h"
#include "src/command/nearest.h"
#include "src/command/program_variables.h"
#include "src/command/variables.h"
#include "src/shared/backend_table.h"
#include "src/shared/named_devices.h"
#include "src/shared/split.h"

namespace torchada::doctor {
namespace {

void check_paths(const Subject& subject, Report* report) {
  for (const std::string& folder : split(subject.variable("LD_LIBRARY_PATH"), ":;")) {
    if (folder.find('$') != std::string::npos || subject.files.has(folder)) continue;
    report->add({"stale-library-path",
                 Severity::kWarning,
                 "LD_LIBRARY_PATH names a directory that does not exist",
                 {{"LD_LIBRARY_PATH", folder}},
                 "remove or correct it"});
  }
  for (const char* variable : {"LD_PRELOAD", "LD_AUDIT"}) {
    const char* separators = variable == std::string("LD_AUDIT") ? ":" : ": ";
    for (const std::string& file : split(subject.variable(variable), separators)) {
      const bool path = file.find('/') != std::string::npos && file.find('$') == std::string::npos;
      if (!path || subject.files.has(file)) continue;
      report->add(
          {"stale-preload",
           Severity::kWarning,
           std::string(variable) + " names a file that does not exist; the loader ignores it",
           {{variable, file}},
           "remove or correct it"});
    }
  }
  for (const ProgramVariable& variable : kProgramVariables) {
    std::string path = subject.variable(variable.name);
    if (path.empty()) continue;
    if (variable.is_folder) path += std::string("/") + variable.unversioned;
    if (is_ours(subject, path)) continue;
    const ReadElf& read = subject.read(path);
    report->add(
        {"program-variable",
         Severity::kWarning,
         std::string(variable.name) + " makes programs load a library that is not torchada's",
         {{variable.name, path + (read.elf ? "" : ": " + read.error)}},
         "unset it; torchada run sets it"});
  }
}

void check_own_variables(const Subject& subject, Report* report) {
  const std::string disabled = subject.variable("TORCHADA_DISABLE");
  if (!disabled.empty()) {
    report->add({"disable",
                 Severity::kWarning,
                 "TORCHADA_DISABLE is set: these functions return \"not supported\"",
                 {{"TORCHADA_DISABLE", disabled}},
                 "unset TORCHADA_DISABLE"});
  }
  const std::string library = subject.variable("TORCHADA_OVERRIDE");
  if (!library.empty()) {
    const ReadElf& read = subject.read(library);
    const bool wrong = library.find('/') != std::string::npos && !read.elf;
    report->add(
        {wrong ? "override-wrong" : "override",
         Severity::kWarning,
         wrong ? "TORCHADA_OVERRIDE names a library that cannot be loaded; the variable is ignored"
               : "TORCHADA_OVERRIDE is set: functions of this library replace MUSA's",
         {{"TORCHADA_OVERRIDE", library + (wrong ? ": " + read.error : "")}},
         "unset TORCHADA_OVERRIDE"});
  }
  // stubs/system/environment.cpp treats everything except 0 as on.
  const std::string strict = subject.variable("TORCHADA_STRICT");
  if (!strict.empty() && strict != "0") {
    report->add({"strict",
                 Severity::kWarning,
                 "TORCHADA_STRICT is set: programs stop at the first unsupported call",
                 {{"TORCHADA_STRICT", strict}},
                 "unset TORCHADA_STRICT"});
  }
  if (subject.variable("TORCHADA_LOG") == "off") {
    report->add({"log-off",
                 Severity::kNote,
                 "TORCHADA_LOG=off: unsupported calls are not reported",
                 {{"TORCHADA_LOG", "off"}},
                 "unset TORCHADA_LOG until the problem is found"});
  }
}

// Variables without effect: misspelled, or from another release.
void check_names(const Subject& subject, Report* report) {
  // `torchada run` sets these for the audit module.
  std::vector<std::string> names = {"TORCHADA_AUDIT_LIB", "TORCHADA_AUDIT_ABI",
                                    "TORCHADA_AUDIT_LEFT_OUT"};
  for (const OwnVariable& variable : own_variables()) names.push_back(variable.bare_name());
  for (const auto& [name, value] : subject.environment) {
    if (!name.starts_with("TORCHADA_")) continue;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::vector<std::string> meant = nearest(name, names, 1);
    report->add({"unknown-variable",
                 Severity::kWarning,
                 name + " has no effect: torchada does not read a variable with this name",
                 {{name, value}},
                 meant.empty() ? "unset it" : "unset it, or rename it to " + meant[0]});
  }
}

void check_log_file(const Subject& subject, Report* report) {
  const std::string pattern = subject.variable("TORCHADA_LOG_FILE");
  const std::string folder = pattern.substr(0, pattern.rfind('/') + 1);
  // With %p the directory is not known yet; a relative path depends on the program's working
  // directory.
  if (folder.empty() || folder[0] != '/' || folder.find('%') != std::string::npos) return;
  if (subject.files.has(folder)) return;
  report->add({"log-file",
               Severity::kWarning,
               "TORCHADA_LOG_FILE is in a directory that does not exist; messages go to stderr",
               {{"TORCHADA_LOG_FILE", pattern}},
               "create the directory, or correct the path"});
}

// The same map that the libraries apply just before they open MUSA.
void check_map(const Subject& subject, Report* report) {
  const auto apply = [&](const std::string& cuda, const std::string& musa) {
    const std::string value = subject.variable(cuda);
    if (value.empty()) return;
    const auto own = subject.environment.find(musa);
    if (own == subject.environment.end()) {
      report->fact(
          musa,
          (names_devices(cuda.c_str(), value.c_str()) ? "the numbers of these devices: " : "") +
              value + " (from " + cuda + ")");
    } else if (own->second != value) {
      report->add({"variable-overruled",
                   Severity::kWarning,
                   cuda + " has no effect: " + musa + " is set to another value",
                   {{cuda, value}, {musa, own->second}},
                   "unset one of the two"});
    }
  };
  const Variable* variable = torchada_backend_table.variables;
  for (; variable->cuda != nullptr; ++variable) apply(variable->cuda, variable->musa);
  const VariablePrefix* rule = torchada_backend_table.prefixes;
  for (; rule->cuda != nullptr; ++rule) {
    for (const auto& [name, value] : subject.environment) {
      bool excepted = !name.starts_with(rule->cuda) || name == rule->cuda;
      for (const char* const* except = rule->except; *except != nullptr; ++except) {
        excepted = excepted || name == *except;
      }
      if (!excepted) apply(name, rule->musa + name.substr(std::string(rule->cuda).size()));
    }
  }
}

}  // namespace

void check_environment(const Subject& subject, Report* report) {
  if (!subject.knows_environment || subject.ignores_environment) return;
  check_paths(subject, report);
  check_own_variables(subject, report);
  check_names(subject, report);
  check_log_file(subject, report);
  check_map(subject, report);
}

}  // namespace torchada::doctor

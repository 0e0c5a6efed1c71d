// The driver behind a real MUSA.
//
// By public evidence: nodes are /dev/mtgpu.N or /dev/mtgpuN beside /dev/dri (container commands of
// FlagOS and xLLM); libmusart opens libmusa.so.1, then libmusa.so; the SDK's lib/stubs/libmusa.so
// is for linking only; the driver's own library lies in the system directories
// (MooreThreads/torch_musa#137).
#include <unistd.h>

#include <algorithm>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/loader.h"
#include "src/command/doctor/search.h"
#include "src/command/text_layout.h"
#include "src/shared/backend_table.h"

namespace torchada::doctor {
std::string find_driver(const Subject& subject, const std::string& musart, int library) {
  const std::string stem = torchada_backend_table.names[library] + std::string(".so");
  for (const Object& object : subject.objects) {
    if (!object.path.empty() && base_name_of(object.path).starts_with(stem)) return object.path;
  }
  if (subject.mode == Mode::kProcess) return "";
  std::vector<std::string> names;
  const Soname* soname = torchada_backend_table.sonames[library];
  for (; soname->name != nullptr; ++soname) names.emplace_back(soname->name);
  if (!subject.loader.empty()) {
    for (const Object& object : answers_for_names(subject, names)) {
      if (!object.path.empty()) return object.path;
    }
  }
  // libmusart may have its own RPATH or RUNPATH.
  for (const std::string& name : names) {
    const std::string path = search(subject, musart, name);
    if (!path.empty()) return path;
  }
  return "";
}

namespace {

// The driver's own library: the first of those that are not in the SDK.
int driver_library() {
  int library = 0;
  while (torchada_backend_table.homes[library] != Home::kDriver) ++library;
  return library;
}

// A container's files get the driver when the container starts.
Severity gravity(const Subject& subject, bool answers) {
  if (answers) return Severity::kNote;
  return subject.mode == Mode::kRoot ? Severity::kWarning : Severity::kError;
}

std::string remedy(const Subject& subject, const std::string& here) {
  return subject.mode == Mode::kRoot
             ? "start the container with --runtime mthreads and MTHREADS_VISIBLE_DEVICES=all, or "
               "with --device for /dev/mtgpu* and /dev/dri"
             : here;
}

void check_library(const Subject& subject, const std::string& musart, bool answers,
                   Report* report) {
  const std::string driver = find_driver(subject, musart, driver_library());
  report->fact("driver library", driver.empty() ? "not found" : driver);
  if (driver.empty()) {
    // A process opens the driver at its first MUSA call.
    if (subject.mode == Mode::kProcess) return;
    report->add(
        {"driver-library-missing",
         gravity(subject, answers),
         "the MUSA driver library was not found",
         {{"looked for", "libmusa.so.1, libmusa.so in the loader's search path"}},
         remedy(subject, "install the GPU driver; start a container with --runtime mthreads")});
  } else if (driver.find("/stubs/") != std::string::npos) {
    report->add({"driver-stub",
                 Severity::kError,
                 "the SDK's stub of the driver library is found before the real one: the stub is "
                 "only for linking",
                 {{"libmusa", driver}, {"LD_LIBRARY_PATH", subject.variable("LD_LIBRARY_PATH")}},
                 "remove the stubs directory from LD_LIBRARY_PATH"});
  }
}

std::vector<std::string> nodes(const Subject& subject) {
  std::vector<std::string> out;
  for (const std::string& name : subject.files.names_in("/dev")) {
    if (name.starts_with("mtgpu")) out.push_back("/dev/" + name);
  }
  return out;
}

void check_nodes(const Subject& subject, bool answers, Report* report) {
  const std::vector<std::string> found = nodes(subject);
  report->fact("device nodes", found.empty() ? "none" : joined(found));
  if (found.empty()) {
    report->add({"driver-node-missing",
                 gravity(subject, answers),
                 "no device node of a Moore Threads GPU was found",
                 {{"looked for", "/dev/mtgpu*"}},
                 remedy(subject,
                        "load the driver (modprobe mtgpu) and check dmesg; start a container with "
                        "--runtime mthreads")});
    return;
  }
  std::vector<std::string> all = found;
  for (const std::string& name : subject.files.names_in("/dev/dri")) {
    if (name.starts_with("renderD")) all.push_back("/dev/dri/" + name);
  }
  std::vector<std::string> closed;
  for (const std::string& node : all) {
    if (access(subject.files.here(node).c_str(), R_OK | W_OK) != 0) closed.push_back(node);
  }
  if (closed.empty() || subject.mode == Mode::kProcess) return;  // Perhaps another user's process.
  const bool all_closed = std::all_of(found.begin(), found.end(), [&](const std::string& node) {
    return std::find(closed.begin(), closed.end(), node) != closed.end();
  });
  report->add(
      {"driver-node-unreadable",
       all_closed ? Severity::kError : Severity::kWarning,
       "this user cannot open the device nodes",
       {{"user " + std::to_string(geteuid()), "has no read and write access to " + joined(closed)}},
       "add the user to the group that owns the nodes (see ls -l; often video or render)"});
}

}  // namespace

void check_driver(const Subject& subject, const std::string& musart, bool answers, Report* report) {
  check_library(subject, musart, answers, report);
  check_nodes(subject, answers, report);
}

}  // namespace torchada::doctor

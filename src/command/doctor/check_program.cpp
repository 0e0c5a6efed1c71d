#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/static_runtimes.h"
#include "src/command/text_layout.h"
#include "src/inspect/mapped_file.h"
#include "src/shared/machine.h"

namespace torchada::doctor {
namespace {

constexpr const char* kStaticEvidence =
    "contains libcuda.so.1, the runtime's error names and the name of its shared memory";

bool changes_ids(const Subject& subject, std::string* how) {
  const std::string place = subject.files.here(subject.started);
  struct stat status {};
  if (stat(place.c_str(), &status) != 0) return false;
  const bool other_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid();
  const bool other_group = (status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0 &&
                           status.st_gid != getegid();
  if (other_user) *how = "setuid, owned by user " + std::to_string(status.st_uid);
  if (!other_user && other_group) {
    *how = "setgid, owned by group " + std::to_string(status.st_gid);
  }
  const bool capabilities =
      geteuid() != 0 && getxattr(place.c_str(), "security.capability", nullptr, 0) > 0;
  if (how->empty() && capabilities) *how = "file capabilities";
  return !how->empty();
}

// The machine in the program's ELF header, if it is not ours.
std::string other_machine(const Subject& subject) {
  const std::string start = beginning_of(subject.files.here(subject.started));
  Elf64_Ehdr header{};  // Up to e_machine, 32-bit files have the same layout.
  if (start.size() < offsetof(Elf64_Ehdr, e_version) || !start.starts_with(ELFMAG)) return "";
  std::memcpy(&header, start.data(), offsetof(Elf64_Ehdr, e_version));
  if (header.e_ident[EI_CLASS] == ELFCLASS32) return "is a 32-bit ELF file";
  if (header.e_ident[EI_DATA] == ELFDATA2MSB) return "is a big-endian ELF file";
  if (header.e_machine == kElfMachine) return "";
  return "is built for ELF machine " + std::to_string(header.e_machine);
}

}  // namespace

bool check_program(Subject* subject, Report* report) {
  if (!subject->has_program) return true;
  report->fact("program", subject->program.empty() ? subject->word : subject->program);
  if (subject->program.empty() || !subject->files.has(subject->program)) {
    report->add({"program-missing",
                 Severity::kError,
                 "'" + subject->word + "' does not exist or is not executable",
                 {{"command", subject->word}},
                 "check the path and its permissions; for a name without '/', check PATH"});
    return false;
  }
  if (subject->started != subject->program) report->fact("interpreter", subject->started);
  if (!subject->wrappers.empty()) report->fact("started by", joined(subject->wrappers));
  if (!subject->unknown.empty()) {
    report->add({"program-not-examined",
                 Severity::kWarning,
                 "the program that the command starts was not examined",
                 {{subject->word, subject->unknown}},
                 "name that program itself: torchada doctor -- PROGRAM"});
  }
  const ReadElf& read = subject->read(subject->started);
  const std::string machine = other_machine(*subject);
  if (!machine.empty()) {
    report->add({"program-32-bit",
                 Severity::kError,
                 "the program is not built for " TORCHADA_MACHINE ", but torchada and MUSA are",
                 {{subject->started, machine}},
                 "use the " TORCHADA_MACHINE " build of the program"});
    return false;
  }
  if (!read.elf) {
    if (read.unreadable) return true;  // It may still be executable; nothing else is known.
    report->add({"program-not-elf",
                 Severity::kError,
                 "the program is not a valid ELF file, so it cannot be started",
                 {{subject->started, read.error}},
                 "rebuild it or copy it again"});
    return false;
  }
  const ElfFile& elf = *read.elf;
  std::string how;
  if (subject->mode == Mode::kHere && changes_ids(*subject, &how)) {
    subject->ignores_environment = true;
    report->add({"program-setuid",
                 Severity::kError,
                 "the program changes its user, group or capabilities: the loader ignores "
                 "LD_LIBRARY_PATH, LD_PRELOAD and LD_AUDIT, and torchada ignores its variables",
                 {{subject->started, how}},
                 "run a copy without these rights (cp), or remove them (chmod ug-s, setcap -r)"});
    return false;
  }
  if (contains_static_runtime(*subject, subject->started)) {
    report->add({"static-cudart",
                 Severity::kError,
                 "the program contains NVIDIA's static CUDA runtime: its calls go straight to "
                 "NVIDIA's driver, so torchada cannot replace them",
                 {{subject->started, std::string(kStaticEvidence) + "; needs no libcudart"}},
                 "link it with the shared runtime: nvcc -cudart shared, "
                 "CMAKE_CUDA_RUNTIME_LIBRARY=Shared"});
  } else if (elf.interpreter.empty()) {
    report->add({"program-static",
                 Severity::kError,
                 "the program is linked statically: it loads no libraries",
                 {{subject->started, "no PT_INTERP"}},
                 "link it dynamically; torchada still works in programs that it starts"});
    return false;
  }
  for (const Object& object : subject->objects) {
    if (object.path.empty() || is_nvidia_name(*subject, object.path)) continue;
    if (!contains_static_runtime(*subject, object.path)) continue;
    report->add({"static-cudart",
                 Severity::kWarning,
                 "a library contains NVIDIA's static CUDA runtime: its runtime calls go to "
                 "NVIDIA's driver only",
                 {{object.path, kStaticEvidence}},
                 "use a build of it that is linked with the shared runtime"});
  }
  return true;
}

void check_installation(const Subject& subject, Report* report) {
  const std::string folder = subject.installation + "/lib";
  if (subject.installation.empty() || !subject.files.has(folder)) {
    report->add({"installation-missing",
                 Severity::kError,
                 "torchada was not found",
                 {{"looked for", "/opt/torchada/lib, /usr/lib/torchada/lib"}},
                 "install torchada in /opt/torchada, or mount it there"});
    return;
  }
  report->fact("torchada", subject.installation);
  std::vector<std::string> missing;
  std::vector<std::string> seen;
  for (const tables::Library& library : subject.tables->libraries) {
    if (std::find(seen.begin(), seen.end(), library.soname) != seen.end()) continue;
    seen.push_back(library.soname);
    const std::string path = library.path_in(subject.installation);
    const ReadElf& read = subject.read(path);
    if (!subject.files.has(path)) {
      missing.push_back(library.soname);
    } else if (read.unreadable) {
      report->add({"library-unreadable",
                   Severity::kError,
                   "a torchada library cannot be read",
                   {{path, read.error}},
                   "allow reading: chmod a+r the file, and chmod a+rx the directories above it"});
    } else if (!read.elf || !is_ours(subject, path)) {
      report->add({"library-damaged",
                   Severity::kError,
                   "a torchada library is damaged, or replaced by another one",
                   {{path, read.elf ? "has no .note.torchada section" : read.error}},
                   "reinstall torchada"});
    }
  }
  if (missing.empty()) return;
  report->add({"installation-incomplete",
               Severity::kError,
               "the torchada installation is incomplete",
               {{folder, "lacks " + joined(missing)}},
               "reinstall torchada"});
}

}  // namespace torchada::doctor

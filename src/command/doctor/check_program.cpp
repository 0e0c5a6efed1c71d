#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "checks.h"
#include "mapped_file.h"
#include "static_runtime.h"
#include "text_layout.h"

namespace torchada::doctor {
namespace {

constexpr const char* kStaticEvidence =
    "contains libcuda.so.1, the runtime's error names and the name of its shared memory";

bool has_static_runtime(const Subject& subject, const std::string& path) {
  const ReadElf& read = subject.read(path);
  if (!read.elf) return false;
  try {
    return torchada::has_static_runtime(*read.elf, MappedFile(subject.files.here(path)).bytes());
  } catch (const std::runtime_error&) {
    return false;  // The process or file has disappeared.
  }
}

// All of NVIDIA's libraries contain the static runtime. That is no finding.
bool is_nvidia_name(const Subject& subject, const std::string& path) {
  const std::string name = base_name_of(path);
  return !stem_of(subject, path).empty() || name.starts_with("libcu") ||
         name.starts_with("libnv") || name.starts_with("libnpp");
}

bool changes_ids(const Subject& subject, std::string* how) {
  const std::string place = subject.files.here(subject.started);
  struct stat status {};
  if (stat(place.c_str(), &status) != 0) return false;
  const bool other_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid();
  const bool other_group = (status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0 &&
                           status.st_gid != getegid();
  if (other_user) *how = "setuid, owned by user " + std::to_string(status.st_uid);
  if (!other_user && other_group) {
    *how = "setgid, of group " + std::to_string(status.st_gid);
  }
  const bool capabilities =
      geteuid() != 0 && getxattr(place.c_str(), "security.capability", nullptr, 0) > 0;
  if (how->empty() && capabilities) *how = "file capabilities";
  return !how->empty();
}

// The machine in the program's ELF header, if it is not x86-64.
std::string other_machine(const Subject& subject) {
  std::ifstream in(subject.files.here(subject.started), std::ios::binary);
  Elf64_Ehdr header{};  // Up to e_machine, 32-bit files have the same layout.
  char* bytes = reinterpret_cast<char*>(&header);
  if (!in.read(bytes, offsetof(Elf64_Ehdr, e_version)) ||
      std::string_view(bytes, SELFMAG) != ELFMAG) {
    return "";
  }
  if (header.e_ident[EI_CLASS] == ELFCLASS32) return "is an ELF file of 32 bits";
  if (header.e_ident[EI_DATA] == ELFDATA2MSB) return "is a big-endian ELF file";
  if (header.e_machine == EM_X86_64) return "";
  return "is for ELF machine " + std::to_string(header.e_machine);
}

}  // namespace

bool check_program(Subject* subject, Report* report) {
  if (!subject->has_program) return true;
  report->fact("program", subject->program.empty() ? subject->word : subject->program);
  if (subject->program.empty() || !subject->files.has(subject->program)) {
    report->add({"program-missing",
                 Severity::kError,
                 "there is no program '" + subject->word + "' that can be executed",
                 {{"command", subject->word}},
                 "check the path, its permissions, and PATH"});
    return false;
  }
  if (subject->started != subject->program) report->fact("interpreter", subject->started);
  const ReadElf& read = subject->read(subject->started);
  const std::string machine = other_machine(*subject);
  if (!machine.empty()) {
    report->add({"program-32-bit",
                 Severity::kError,
                 "the program is not for x86-64; torchada and MUSA are",
                 {{subject->started, machine}},
                 "use the x86-64 build of the program"});
    return false;
  }
  if (!read.elf) {
    if (read.unreadable) return true;  // It may still be executable; nothing else is known.
    report->add({"program-not-elf",
                 Severity::kError,
                 "the program is no ELF file that can be read, so the kernel cannot start it",
                 {{subject->started, read.error}},
                 "build or copy it again"});
    return false;
  }
  const ElfFile& elf = *read.elf;
  std::string how;
  if (subject->mode == Mode::kHere && changes_ids(*subject, &how)) {
    subject->ignores_environment = true;
    report->add({"program-setuid",
                 Severity::kError,
                 "the program changes its user, group or capabilities: the loader ignores "
                 "LD_LIBRARY_PATH, LD_PRELOAD and LD_AUDIT, and torchada reads no variable",
                 {{subject->started, how}},
                 "start a copy without these rights (cp), or remove them (chmod ug-s, setcap -r)"});
    return false;
  }
  if (has_static_runtime(*subject, subject->started)) {
    report->add({"static-cudart",
                 Severity::kError,
                 "the program contains NVIDIA's static CUDA runtime: its calls reach no library "
                 "that could be replaced, but NVIDIA's driver",
                 {{subject->started, std::string(kStaticEvidence) + "; needs no libcudart"}},
                 "link it with the shared runtime: nvcc -cudart shared, "
                 "CMAKE_CUDA_RUNTIME_LIBRARY=Shared"});
  } else if (elf.interpreter.empty()) {
    report->add({"program-static",
                 Severity::kError,
                 "the program is linked statically: no loader looks for libraries",
                 {{subject->started, "no PT_INTERP"}},
                 "link it dynamically; programs that it starts are reached"});
    return false;
  }
  for (const Object& object : subject->objects) {
    if (object.path.empty() || is_nvidia_name(*subject, object.path)) continue;
    if (!has_static_runtime(*subject, object.path)) continue;
    report->add({"static-cudart",
                 Severity::kWarning,
                 "a library contains NVIDIA's static CUDA runtime: its own runtime calls reach "
                 "NVIDIA's driver only",
                 {{object.path, kStaticEvidence}},
                 "use a build of it with the shared runtime"});
  }
  return true;
}

void check_installation(const Subject& subject, Report* report) {
  const std::string folder = subject.installation + "/lib";
  if (subject.installation.empty() || !subject.files.has(folder)) {
    report->add({"installation-missing",
                 Severity::kError,
                 "torchada is not installed there",
                 {{"looked for", "/opt/torchada/lib, /usr/lib/torchada/lib"}},
                 "install it below /opt/torchada, or mount it there"});
    return;
  }
  report->fact("torchada", subject.installation);
  std::vector<std::string> missing;
  std::vector<std::string> seen;
  for (const tables::Library& library : subject.tables.libraries) {
    if (std::find(seen.begin(), seen.end(), library.soname) != seen.end()) continue;
    seen.push_back(library.soname);
    const std::string path = folder + "/" + library.soname;
    const ReadElf& read = subject.read(path);
    if (!subject.files.has(path)) {
      missing.push_back(library.soname);
    } else if (read.unreadable) {
      report->add({"library-unreadable",
                   Severity::kError,
                   "a library of torchada cannot be read",
                   {{path, read.error}},
                   "chmod a+r it, and a+rx the folders above"});
    } else if (!read.elf || !is_ours(subject, path)) {
      report->add({"library-damaged",
                   Severity::kError,
                   "a library of torchada is damaged, or not torchada's",
                   {{path, read.elf ? "has no note of torchada's" : read.error}},
                   "install torchada again"});
    }
  }
  if (missing.empty()) return;
  report->add({"installation-incomplete",
               Severity::kError,
               "torchada is not installed completely",
               {{folder, "lacks " + joined(missing)}},
               "install it again"});
}

}  // namespace torchada::doctor

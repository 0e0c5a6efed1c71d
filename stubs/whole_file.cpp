#include "stubs/whole_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "src/shared/own_descriptor.h"
#include "stubs/own_address.h"

namespace torchada {
namespace {

#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
#endif

const char* check(int file) {
  ElfW(Ehdr) header;
  if (pread(file, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header) ||
      memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return "not an ELF file";
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachine) {
    return "built for another machine";
  }
  const off_t size = lseek(file, 0, SEEK_END);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    const off_t at = static_cast<off_t>(header.e_phoff + i * sizeof segment);
    if (pread(file, &segment, sizeof segment, at) != static_cast<ssize_t>(sizeof segment)) {
      return "truncated";
    }
    const bool fits = segment.p_offset <= static_cast<ElfW(Off)>(size) &&
                      segment.p_filesz <= static_cast<ElfW(Off)>(size) - segment.p_offset;
    if (segment.p_type == PT_LOAD && !fits) return "truncated";
  }
  return nullptr;
}

bool has_own_note(int file) {
  ElfW(Ehdr) header;
  if (pread(file, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header)) return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    const off_t at = static_cast<off_t>(header.e_phoff + i * sizeof segment);
    if (pread(file, &segment, sizeof segment, at) != static_cast<ssize_t>(sizeof segment)) {
      return false;
    }
    alignas(8) char notes[512];  // The shims' are shorter.
    if (segment.p_type != PT_NOTE || segment.p_filesz > sizeof notes) continue;
    const ssize_t read = pread(file, notes, segment.p_filesz, static_cast<off_t>(segment.p_offset));
    size_t size = 0;
    if (read > 0 && note_in(notes, notes + read, segment.p_align, &size)) return true;
  }
  return false;
}

int open_file(const char* path) {
  // O_NONBLOCK: if the name is a FIFO, do not wait for a writer.
  return above_standard(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

}  // namespace

bool is_shim_file(const char* path) {
  const int file = open_file(path);
  if (file < 0) return false;
  const bool is_one = !check(file) && has_own_note(file);
  close(file);
  return is_one;
}

const char* what_is_wrong_with(const char* path) {
  const int file = open_file(path);
  if (file < 0) return "cannot be read";
  const char* wrong = check(file);
  close(file);
  return wrong;
}

}  // namespace torchada

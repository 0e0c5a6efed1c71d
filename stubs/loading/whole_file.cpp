#include "stubs/loading/whole_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "src/shared/machine.h"
#include "src/shared/own_descriptor.h"
#include "stubs/process/own_address.h"

namespace torchada {
namespace {

// The beginning is read at once: it holds the headers, and mostly the notes.
class File {
 public:
  explicit File(int file) : file_(file), size_(pread(file, start_, sizeof start_, 0)) {}

  bool read(void* to, size_t size, size_t at) const {
    const size_t known = size_ > 0 ? static_cast<size_t>(size_) : 0;
    if (at <= known && size <= known - at) {
      memcpy(to, start_ + at, size);
      return true;
    }
    return pread(file_, to, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
  }

  // Segment number `i`.
  bool read(ElfW(Phdr) * segment, const ElfW(Ehdr) & header, unsigned i) const {
    return read(segment, sizeof *segment, header.e_phoff + i * sizeof *segment);
  }

  uint64_t size() const { return static_cast<uint64_t>(lseek(file_, 0, SEEK_END)); }

 private:
  int file_;
  char start_[1024] = {};
  ssize_t size_;
};

const char* check(const File& file) {
  ElfW(Ehdr) header;
  if (!file.read(&header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return "not an ELF file";
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kElfMachine) {
    return "built for another machine";
  }
  const uint64_t size = file.size();
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (!file.read(&segment, header, i)) return "truncated";
    const bool fits = segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset;
    if (segment.p_type == PT_LOAD && !fits) return "truncated";
  }
  return nullptr;
}

bool has_own_note(const File& file) {
  ElfW(Ehdr) header;
  if (!file.read(&header, sizeof header, 0)) return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (!file.read(&segment, header, i)) return false;
    alignas(8) char notes[512];  // The replacement libraries' are shorter.
    if (segment.p_type != PT_NOTE || segment.p_filesz > sizeof notes) continue;
    size_t size = 0;
    if (file.read(notes, segment.p_filesz, segment.p_offset) &&
        note_in(notes, notes + segment.p_filesz, segment.p_align, &size)) {
      return true;
    }
  }
  return false;
}

int open_file(const char* path) {
  // O_NONBLOCK: if the name is a FIFO, do not wait for a writer.
  return above_standard(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

}  // namespace

bool is_replacement_file(const char* path) {
  const int file = open_file(path);
  if (file < 0) return false;
  const File content(file);
  const bool is_one = !check(content) && has_own_note(content);
  close(file);
  return is_one;
}

const char* what_is_wrong_with(const char* path) {
  const int file = open_file(path);
  if (file < 0) return "cannot be read";
  const char* wrong = check(File(file));
  close(file);
  return wrong;
}

}  // namespace torchada

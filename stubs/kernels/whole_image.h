// Whether an image has all its bytes. Only the format that all share is read: ELF's.
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace torchada::kernels {

// Whether `size` bytes at `image` begin an ELF file that has more, by what it says itself. Reads
// nothing beyond them.
inline bool is_cut_off(const void* image, uint64_t size) {
  const char* const bytes = static_cast<const char*>(image);
  const size_t start = size < SELFMAG ? static_cast<size_t>(size) : SELFMAG;
  if (memcmp(bytes, ELFMAG, start) != 0) return false;
  Elf64_Ehdr header;
  if (size < sizeof header) return true;
  memcpy(&header, bytes, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  const auto lacks = [size](uint64_t offset, uint64_t length) {
    return offset > size || length > size - offset;
  };
  if (lacks(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)) ||
      lacks(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr))) {
    return true;
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
    if (lacks(segment.p_offset, segment.p_filesz)) return true;
  }
  return false;
}

}  // namespace torchada::kernels

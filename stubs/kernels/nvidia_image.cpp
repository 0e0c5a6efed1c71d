#include "stubs/kernels/nvidia_image.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

namespace torchada::kernels {
namespace {

// cuda.h and MUSA's headers give the wrapper of a fat binary the same magic number, so only what it
// leads to can tell. The layouts are those that src/inspect/fat_binary.h names.
constexpr uint32_t kWrapperMagic = 0x466243b1;
constexpr uint32_t kFatBinaryMagic = 0xba55ed50;
constexpr uint16_t kPtxEntry = 1;
constexpr uint16_t kElfEntry = 2;

struct Wrapper {
  uint32_t magic, version;
  const void* data;
};

struct FatHeader {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;  // Of the entries.
};

struct FatEntry {
  uint16_t kind, version;
  uint32_t header_size;
  uint64_t size;  // Of the code.
};

// The caller's image may lie at any address.
template <typename T>
T read_at(const char* place) {
  T out;
  memcpy(&out, place, sizeof out);
  return out;
}

bool is_cuda_elf(const char* image, size_t size) {
  if (size < sizeof(Elf64_Ehdr) || memcmp(image, ELFMAG, SELFMAG) != 0) return false;
  return read_at<Elf64_Ehdr>(image).e_machine == EM_CUDA;
}

const char* after_space_and_comments(const char* at, const char* end) {
  while (at < end) {
    if (*at == ' ' || (*at >= '\t' && *at <= '\r')) {
      ++at;
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
      while (at < end && *at != '\n' && *at != '\0') ++at;
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
      at += 2;
      while (end - at >= 2 && *at != '\0' && !(at[0] == '*' && at[1] == '/')) ++at;
      if (end - at < 2 || *at == '\0') return end;
      at += 2;
    } else {
      return at;
    }
  }
  return end;
}

// PTX begins with the directive .version. The text ends with a zero, before which every comparison
// stops.
bool is_ptx(const char* image, size_t size) {
  static constexpr char kStart[] = ".version";
  const size_t far_enough = size < 65536 ? size : 65536;
  const char* const end = image + far_enough;
  const char* const start = after_space_and_comments(image, end);
  return static_cast<size_t>(end - start) >= sizeof kStart - 1 &&
         strncmp(start, kStart, sizeof kStart - 1) == 0;
}

const char* name_of_fat_binary(const char* image, size_t size) {
  if (size < sizeof(FatHeader)) return nullptr;
  const FatHeader header = read_at<FatHeader>(image);
  if (header.magic != kFatBinaryMagic || header.header_size < sizeof header) return nullptr;
  size_t left = header.size;
  if (size != kUnknownSize && size - header.header_size < left) left = size - header.header_size;
  const char* at = image + header.header_size;
  while (left >= sizeof(FatEntry)) {
    const FatEntry entry = read_at<FatEntry>(at);
    const bool fits = entry.header_size >= sizeof entry && entry.header_size <= left &&
                      entry.size <= left - entry.header_size;
    if (entry.kind == kPtxEntry) return "a fat binary with PTX";
    // Compressed code does not show its kind of machine, but only NVIDIA's compiler writes it.
    if (entry.kind == kElfEntry && fits) {
      const char* const code = at + entry.header_size;
      const bool is_plain_elf = entry.size >= SELFMAG && memcmp(code, ELFMAG, SELFMAG) == 0;
      if (!is_plain_elf || is_cuda_elf(code, entry.size)) return "a fat binary with cubins";
    }
    if (!fits) return nullptr;
    at += entry.header_size + entry.size;
    left -= entry.header_size + entry.size;
  }
  return nullptr;
}

}  // namespace

const char* name_of_nvidia_image(const void* image, size_t size) {
  const char* const bytes = static_cast<const char*>(image);
  if (!image || size < sizeof(uint32_t)) return nullptr;
  // Up to here and with a zero before the fourth byte, it can only be an empty text.
  if (memchr(bytes, '\0', sizeof(uint32_t)) == bytes) return nullptr;
  if (read_at<uint32_t>(bytes) == kWrapperMagic && size >= sizeof(Wrapper)) {
    const Wrapper wrapper = read_at<Wrapper>(bytes);
    const char* const data = static_cast<const char*>(wrapper.data);
    return data && read_at<uint32_t>(data) == kFatBinaryMagic
               ? name_of_fat_binary(data, kUnknownSize)
               : nullptr;
  }
  if (read_at<uint32_t>(bytes) == kFatBinaryMagic) return name_of_fat_binary(bytes, size);
  if (memcmp(bytes, ELFMAG, SELFMAG) == 0) {
    return is_cuda_elf(bytes, size) ? "a cubin" : nullptr;
  }
  return is_ptx(bytes, size) ? "PTX" : nullptr;
}

const char* name_of_nvidia_file(const char* path) {
  if (!path) return nullptr;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return nullptr;
  char start[2048];
  const ssize_t size = pread(file, start, sizeof start - 1, 0);
  close(file);
  if (size <= 0) return nullptr;
  start[size] = '\0';
  return name_of_nvidia_image(start, static_cast<size_t>(size));
}

}  // namespace torchada::kernels

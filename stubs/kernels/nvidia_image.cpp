#include "stubs/kernels/nvidia_image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/shared/own_descriptor.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/system/system_call.h"

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

constexpr uint64_t kMostEntries = 65536;
constexpr uint64_t kMostBytes = uint64_t{1} << 47;  // An address space.

// An image in memory, which may end anywhere, or in an open file.
class Image {
 public:
  explicit Image(const void* bytes) : bytes_(static_cast<const char*>(bytes)) {}
  explicit Image(int file, uint64_t size) : file_(file), size_(size) {}

  // Of memory the largest that it can be.
  uint64_t size() const { return size_; }
  // Of memory its address.
  uintptr_t place_of(uint64_t at) const { return reinterpret_cast<uintptr_t>(bytes_) + at; }

  // Returns how many of the bytes are there.
  size_t read(void* to, size_t size, uint64_t at) const {
    if (at >= size_) return 0;
    if (size > size_ - at) size = size_ - at;
    const int64_t got =
        bytes_ ? copy(to, bytes_ + at, size) : pread(file_, to, size, static_cast<off_t>(at));
    return got > 0 ? static_cast<size_t>(got) : 0;
  }

  template <typename T>
  bool get(T* out, uint64_t at) const {
    return read(out, sizeof *out, at) == sizeof *out;
  }

 private:
  static int64_t copy(void* to, const char* from, size_t size) {
    struct Part {
      const void* start;
      size_t size;
    } own{to, size}, image{from, size};
    const int64_t got =
        system_call(SYS_process_vm_readv, system_call(SYS_getpid), &own, 1, &image, 1, 0);
    if (got >= 0 || got == -EFAULT) return got;
    memcpy(to, from, size);  // A sandbox does not allow the call.
    return static_cast<int64_t>(size);
  }

  const char* bytes_ = nullptr;
  int file_ = -1;
  uint64_t size_ = kMostBytes;
};

bool is_cuda_elf(const Image& image, uint64_t at) {
  Elf64_Ehdr header{};
  return image.get(&header, at) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_machine == EM_CUDA;
}

// The characters of a text, up to its zero, its end, or far enough.
class Characters {
 public:
  // Of window_, what read() has filled is used.
  // cppcheck-suppress uninitMemberVar
  explicit Characters(const Image& image) : image_(image) {}

  // 0 behind the end.
  char at(size_t place) {
    constexpr size_t kFarEnough = 65536;
    if (place >= kFarEnough) return '\0';
    if (place - first_ >= count_) {  // Also before it.
      first_ = place;
      // Not beyond a page: where a sandbox refuses the careful copy, only the text says how long it
      // is, and the next page may be missing.
      const size_t room = sizeof window_ - image_.place_of(place) % sizeof window_;
      count_ = image_.read(window_, room, place);
    }
    return count_ == 0 ? '\0' : window_[place - first_];
  }

 private:
  const Image& image_;
  char window_[512];
  size_t first_ = 0;
  size_t count_ = 0;
};

size_t after_space_and_comments(Characters* text) {
  for (size_t at = 0;;) {
    const char here = text->at(at);
    if (here == ' ' || (here >= '\t' && here <= '\r')) {
      ++at;
    } else if (here == '/' && text->at(at + 1) == '/') {
      while (text->at(at) != '\n' && text->at(at) != '\0') ++at;
    } else if (here == '/' && text->at(at + 1) == '*') {
      at += 2;
      while (text->at(at) != '\0' && !(text->at(at) == '*' && text->at(at + 1) == '/')) ++at;
      if (text->at(at) == '\0') return at;
      at += 2;
    } else {
      return at;
    }
  }
}

// PTX begins with the directive .version.
bool is_ptx(const Image& image) {
  Characters text(image);
  size_t at = after_space_and_comments(&text);
  for (const char* start = ".version"; *start; ++start, ++at) {
    if (text.at(at) != *start) return false;
  }
  return true;
}

ImageFinding examine_fat_binary(const Image& image) {
  FatHeader header{};
  if (!image.get(&header, 0)) return {ImageFinding::kDamaged, "a fat binary without a header"};
  if (header.header_size < sizeof header || header.header_size > image.size() ||
      header.size > image.size() - header.header_size) {
    return {ImageFinding::kDamaged, "a fat binary whose header states an impossible size"};
  }
  constexpr ImageFinding kWrongEntry{ImageFinding::kDamaged,
                                     "a fat binary with an entry that does not end within it"};
  uint64_t at = header.header_size;
  uint64_t left = header.size;
  for (uint64_t count = 0; left >= sizeof(FatEntry) && count < kMostEntries; ++count) {
    FatEntry entry{};
    if (!image.get(&entry, at) || entry.header_size < sizeof entry || entry.header_size > left ||
        entry.size > left - entry.header_size) {
      return kWrongEntry;
    }
    if (entry.kind == kPtxEntry) return {ImageFinding::kNvidia, "a fat binary with PTX"};
    // Compressed code does not show its kind of machine, but only NVIDIA's compiler writes it.
    if (entry.kind == kElfEntry) {
      const uint64_t code = at + entry.header_size;
      char magic[SELFMAG];
      const bool is_plain_elf =
          entry.size >= SELFMAG && image.get(&magic, code) && memcmp(magic, ELFMAG, SELFMAG) == 0;
      if (!is_plain_elf || is_cuda_elf(image, code)) {
        return {ImageFinding::kNvidia, "a fat binary with cubins"};
      }
    }
    at += entry.header_size + entry.size;
    left -= entry.header_size + entry.size;
  }
  return {};
}

ImageFinding examine(const Image& image) {
  uint32_t magic = 0;
  if (!image.get(&magic, 0)) return {};
  if (magic == kFatBinaryMagic) return examine_fat_binary(image);
  if (memcmp(&magic, ELFMAG, SELFMAG) == 0) {
    if (is_cuda_elf(image, 0)) return {ImageFinding::kNvidia, "a cubin"};
    return {};
  }
  if (is_ptx(image)) return {ImageFinding::kNvidia, "PTX"};
  return {};
}

}  // namespace

bool begins_with(const void* image, const char* magic, size_t size) {
  char first[16];
  return image && size <= sizeof first && Image(image).read(first, size, 0) == size &&
         memcmp(first, magic, size) == 0;
}

ImageFinding examine_image(const void* bytes) {
  if (!bytes) return {};
  const Image image(bytes);
  Wrapper wrapper{};
  uint32_t magic = 0;
  if (!image.get(&magic, 0) || magic != kWrapperMagic) return examine(image);
  if (!image.get(&wrapper, 0)) return {ImageFinding::kDamaged, "half a wrapper of a fat binary"};
  const Image inner(wrapper.data);
  if (!wrapper.data || !inner.get(&magic, 0)) {
    return {ImageFinding::kDamaged, "a wrapper that leads to no fat binary"};
  }
  if (magic != kFatBinaryMagic) return {};
  return examine_fat_binary(inner);
}

int open_regular(const char* path, uint64_t* size, bool* is_other) {
  *is_other = false;
  // O_NONBLOCK: if the name is a FIFO, do not wait for a writer.
  const int file = above_standard(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file < 0) return -1;
  // By the number of the call: glibc's own name for it is newer than the oldest supported glibc.
  struct stat status;
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the kernel has written it.
  if (system_call(SYS_fstat, file, &status) == 0 && S_ISREG(status.st_mode)) {
    *size = static_cast<uint64_t>(status.st_size);
    return file;
  }
  *is_other = true;
  close(file);
  return -1;
}

ImageFinding examine_file(const char* path) {
  if (!path) return {};
  uint64_t size = 0;
  bool is_other = false;
  const int file = open_regular(path, &size, &is_other);
  // MUSA would wait for what a FIFO gets.
  if (is_other) return {ImageFinding::kNoFile, "not a regular file"};
  if (file < 0) return {};
  const ImageFinding found = examine(Image(file, size));
  close(file);
  return found;
}

TORCHADA_APART int refuse_wrong_image(const char* function, const char* parameter,
                                      const ImageFinding& found) {
  constexpr int kInvalidImage = 200;
  constexpr int kFileNotFound = 301;
  const int status = found.kind == ImageFinding::kDamaged ? kInvalidImage : kFileNotFound;
  Line line;
  line << function << ": " << parameter << " is " << found.text << "; returning " << status;
  log(LogLevel::kWarn, line);
  return fail(status);
}

}  // namespace torchada::kernels

#include "src/host/kernels/engine/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "src/host/kernels/engine/say.h"
#include "src/host/musa/config.h"
#include "src/host/musa/memory.h"
#include "src/host/shared/own_descriptor.h"

namespace musa {
namespace {

// The bytes of an image. Nothing outside them is read.
class File {
 public:
  // Size 0: the image ends where its parts end.
  File(const void* bytes, std::size_t size) : bytes_(static_cast<const char*>(bytes)), size_(size) {
    if (size == 0) size_ = measure();
  }

  std::size_t size() const { return size_; }
  // Why it is not an image of the stand-in, or null.
  const char* fault() const {
    const auto* const header = at<Elf64_Ehdr>(0, 1);
    if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
      return "it is no ELF file";
    }
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) {
      return "it is for another machine than this CPU";
    }
    return header->e_type == ET_DYN && has_mark(*header)
               ? nullptr
               : "torchada kernels build --backend=host has not made it";
  }

 private:
  template <typename T>
  const T* at(std::uint64_t offset, std::uint64_t count) const {
    if (offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(bytes_ + offset);
  }

  bool has_mark(const Elf64_Ehdr& header) const {
    const auto* const sections = at<Elf64_Shdr>(header.e_shoff, header.e_shnum);
    if (sections == nullptr || header.e_shstrndx >= header.e_shnum) return false;
    const Elf64_Shdr& names = sections[header.e_shstrndx];
    constexpr char kImageMark[] = TORCHADA_IMAGE_SECTION;
    return std::any_of(sections, sections + header.e_shnum, [&](const Elf64_Shdr& section) {
      if (section.sh_name > names.sh_size) return false;
      const char* const name = at<char>(names.sh_offset + section.sh_name, sizeof(kImageMark));
      return name != nullptr && std::memcmp(name, kImageMark, sizeof(kImageMark)) == 0;
    });
  }

  // Of an image in memory of unknown size. 0 if it is none.
  std::size_t measure() {
    size_ = sizeof(Elf64_Ehdr);
    if (!is_mapped(bytes_, size_)) return 0;
    const auto* const header = at<Elf64_Ehdr>(0, 1);
    // What begins otherwise may be shorter than a header, so that no more of it may be read.
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64) {
      return size_;
    }
    // Linkers write the table of sections last.
    const std::uint64_t end = header->e_shoff + std::uint64_t{header->e_shnum} * sizeof(Elf64_Shdr);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    return end >= size_ && end < kMost && is_mapped(bytes_, end) ? end : size_;
  }

  const char* bytes_;
  std::size_t size_;
};

std::string path_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

// Every copy is a file of its own to the loader, so every module has its own variables. The loader
// tells libraries apart by their paths first: the descriptor stays open as long as the library, so
// that no other has its number. Null and a reason if there is no copy.
void* open_copy(const File& file, const void* bytes, int* open_file, std::string* why) {
  const auto failed = [why](const char* call) {
    *why = std::string(call) + ": " + std::strerror(errno);
    return nullptr;
  };
  const int descriptor = host::above_standard(memfd_create("musa-image", MFD_CLOEXEC));
  if (descriptor < 0) return failed("memfd_create");
  *open_file = descriptor;
  void* library = nullptr;
  if (write(descriptor, bytes, file.size()) != static_cast<ssize_t>(file.size())) {
    failed("write");
  } else if (access(path_of(descriptor).c_str(), F_OK) != 0) {
    failed("/proc, through which it is opened");
  } else if ((library = dlopen(path_of(descriptor).c_str(), RTLD_NOW | RTLD_LOCAL)) == nullptr) {
    *why = dlerror();
  }
  if (library == nullptr) close(descriptor);
  return library;
}

musaError_t refuse(const std::string& why) {
  say("an image of device code is refused: " + why);
  return musaErrorNoKernelImageForDevice;
}

template <typename Entry>
std::map<std::string, const Entry*> by_name(const Entry* const* first, const Entry* const* end) {
  std::map<std::string, const Entry*> found;
  for (; first != end; ++first) found.emplace((*first)->name, *first);
  return found;
}

}  // namespace

Module::~Module() {
  dlclose(library_);
  // Some libraries never leave (STB_GNU_UNIQUE). Their number must stay taken.
  void* const left = dlopen(path_of(file_).c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (left != nullptr) {
    dlclose(left);
  } else {
    close(file_);
  }
}

musaError_t load_module(const void* bytes, std::size_t size, std::shared_ptr<Module>* module) {
  const File file(bytes, size);
  if (const char* const fault = file.fault()) return refuse(fault);
  int descriptor = -1;
  std::string why;
  void* const library = open_copy(file, bytes, &descriptor, &why);
  if (library == nullptr) return refuse(why);
  std::shared_ptr<Module> made(new Module(library, descriptor));
  made->image_ = static_cast<const torchada_image*>(dlsym(library, "torchada_image"));
  if (made->image_ == nullptr || made->image_->format != TORCHADA_IMAGE_FORMAT) {
    return refuse("it was made by another version of torchada kernels build");
  }
  const int warp = architecture().warp_size;
  if (static_cast<int>(made->image_->warp_size) != warp) {
    return refuse("it was made for warps of " + std::to_string(made->image_->warp_size) +
                  " threads, and the device has " + std::to_string(warp));
  }
  made->kernels_ = by_name(made->image_->kernels, made->image_->kernels_end);
  made->variables_ = by_name(made->image_->variables, made->image_->variables_end);
  *module = std::move(made);
  return musaSuccess;
}

}  // namespace musa

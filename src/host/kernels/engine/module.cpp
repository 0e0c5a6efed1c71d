#include "src/host/kernels/engine/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "src/host/musa/config.h"
#include "src/host/shared/cpu_level.h"
#include "src/host/shared/image_file.h"
#include "src/host/shared/own_descriptor.h"
#include "src/host/shared/say.h"

namespace musa {

// Every copy is a file of its own to the loader, so every module has its own variables. The loader
// tells libraries apart by their paths first: the descriptor stays open as long as the library, so
// that no other has its number.
class ImageCopy {
 public:
  ImageCopy() : file_(host::above_standard(memfd_create("musa-image", MFD_CLOEXEC))) {}
  ~ImageCopy() {
    if (file_ >= 0) close(file_);
  }
  ImageCopy(const ImageCopy&) = delete;
  ImageCopy& operator=(const ImageCopy&) = delete;

  int file() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

namespace {

// How much of an image in memory of unknown size there is to read: linkers write the table of
// sections last. What has no such table counts as a header.
std::size_t size_from(const Elf64_Ehdr& header) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  const std::uint64_t tables = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  const bool is_known = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shoff < kMost;
  return is_known ? std::max(sizeof header, header.e_shoff + tables) : sizeof header;
}

// The kernel reads the memory: it stops where nothing is mapped.
std::size_t copy(int file, const void* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = write(file, static_cast<const char*>(bytes) + done, size - done);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::string path_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

musaError_t refuse(const std::string& why, host::ImageFault::Kind kind) {
  host::say("an image of device code is refused: " + why);
  const bool invalid = kind != host::ImageFault::Kind::kForeign;
  return invalid ? musaErrorInvalidKernelImage : musaErrorNoKernelImageForDevice;
}

musaError_t refuse(const std::string& why) { return refuse(why, host::ImageFault::Kind::kForeign); }

// Nothing is wrong with the image.
musaError_t refuse_with_errno(const char* call) {
  host::say("an image of device code is refused: " + std::string(call) + ": " +
            std::strerror(errno));
  return musaErrorOperatingSystem;
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

musaError_t load_copy(ImageCopy& copy, std::shared_ptr<Module>* module) {
  const std::string path = path_of(copy.file());
  if (access(path.c_str(), F_OK) != 0) {
    return refuse_with_errno("/proc, through which it is opened");
  }
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const error = dlerror();
    return refuse(error != nullptr ? error : "the loader does not open it");
  }
  std::shared_ptr<Module> made(new Module(library, copy.release()));
  made->image_ = static_cast<const torchada_image*>(dlsym(library, "torchada_image"));
  if (made->image_ == nullptr || made->image_->format != TORCHADA_IMAGE_FORMAT) {
    return refuse("it was made by another version of torchada kernels build");
  }
  const int warp = architecture().warp_size;
  if (static_cast<int>(made->image_->warp_size) != warp) {
    return refuse("it was made for warps of " + std::to_string(made->image_->warp_size) +
                  " threads, and the device has " + std::to_string(warp));
  }
  if (made->image_->cpu_level > static_cast<std::uint32_t>(host::cpu_level())) {
    return refuse("it was made for CPUs with the instructions of x86-64-v3, which this one lacks");
  }
  made->kernels_ = by_name(made->image_->kernels, made->image_->kernels_end);
  made->variables_ = by_name(made->image_->variables, made->image_->variables_end);
  *module = std::move(made);
  return musaSuccess;
}

// The copy is judged, not the program's memory, which may change meanwhile.
musaError_t load_module(const void* bytes, std::shared_ptr<Module>* module) {
  ImageCopy made;
  if (made.file() < 0) return refuse_with_errno("memfd_create");
  Elf64_Ehdr header{};
  errno = 0;
  const std::size_t begun = copy(made.file(), bytes, sizeof header);
  if (pread(made.file(), &header, sizeof header, 0) < 0) return refuse_with_errno("pread");
  if (begun == sizeof header) {
    copy(made.file(), static_cast<const char*>(bytes) + begun, size_from(header) - begun);
  }
  if (errno != 0 && errno != EFAULT) return refuse_with_errno("write");
  std::string ignored;
  if (const host::ImageFault fault = host::read_image(made.file(), &ignored)) {
    return refuse(fault.text, fault.kind);
  }
  return load_copy(made, module);
}

musaError_t load_module(int file, std::shared_ptr<Module>* module) {
  std::string bytes;
  if (const host::ImageFault fault = host::read_image(file, &bytes)) {
    return refuse(fault.text, fault.kind);
  }
  ImageCopy made;
  if (made.file() < 0) return refuse_with_errno("memfd_create");
  if (copy(made.file(), bytes.data(), bytes.size()) != bytes.size()) {
    return refuse_with_errno("write");
  }
  return load_copy(made, module);
}

}  // namespace musa

// Whose device code an image is. NVIDIA's is recognised to be refused; it is never read further.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace torchada::kernels {

struct ImageFinding {
  enum Kind {
    kOther,    // MUSA shall judge it.
    kNvidia,   // `text` names what NVIDIA's image is: "PTX", "a cubin", ...
    kDamaged,  // `text` says what cannot be right.
    kNoFile,   // `text` says what the path leads to instead of a file.
  };
  Kind kind = kOther;
  const char* text = nullptr;

  explicit operator bool() const { return kind != kOther; }
};

// `image`: what cuModuleLoadData takes. Only the image tells its length, and a damaged one tells a
// wrong one, so the kernel copies what is read: memory that is not there is noticed. Null is
// kOther.
ImageFinding examine_image(const void* image);

// Whether the image begins with `size` bytes (at most 16) at `magic`. Memory that is not there is
// noticed, as above.
bool begins_with(const void* image, const char* magic, size_t size);

// The same as examine_image for a file. kOther if there is none, or if it cannot be opened.
ImageFinding examine_file(const char* path);

// Opens a regular file, without waiting for what else the path may lead to, and tells its size. The
// caller closes it. -1 if there is none, or if it cannot be opened; -1 and `is_other` for what is
// no regular file.
int open_regular(const char* path, uint64_t* size, bool* is_other);

// For what is damaged or no file, which NVIDIA's library refuses as well: prints a line, and
// returns fail(status) with CUDA's status, the same for runtime and driver.
int refuse_wrong_image(const char* function, const char* parameter, const ImageFinding& found);

}  // namespace torchada::kernels

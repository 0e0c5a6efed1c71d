#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "src/host/shared/image_file.h"

// Everything that judges an image of the stand-in, first as it is, then with a right checksum.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("image", MFD_CLOEXEC);
  std::string image(reinterpret_cast<const char*>(data), size);
  static_cast<void>(host::find_forbidden(image));
  static_cast<void>(host::seal_image(&image));
  if (image.size() != size || ftruncate(file, 0) != 0 ||
      pwrite(file, image.data(), size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  std::string read;
  if (!host::read_image(file, &read)) {
    if (read.size() < size) read.push_back('\0');  // It may have a zero behind it.
    if (read != image) std::abort();
  }
  return 0;
}

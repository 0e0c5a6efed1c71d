#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "src/inspect/fat_binary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const torchada::FatBinary& binary : torchada::read_fat_binaries(bytes).list) {
    for (const torchada::FatImage& image : binary.images) {
      // Images must lie within the input, whatever the headers say.
      const bool inside =
          image.bytes.empty() || (image.bytes.data() >= bytes.data() &&
                                  image.bytes.data() + image.bytes.size() <= bytes.data() + size);
      if (!inside || image.size != image.bytes.size()) std::abort();
    }
  }
  return 0;
}

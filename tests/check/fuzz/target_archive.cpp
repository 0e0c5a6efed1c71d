#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "src/inspect/archive_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  torchada::ArchiveLimits limits;
  limits.member = 1 << 20;
  limits.total = 4 << 20;
  limits.free = 1 << 16;
  limits.members = 1000;
  torchada::is_archive("input.tar.gz", bytes);
  torchada::read_archive(
      bytes, limits, [](const std::string& name, std::string_view) { return name.size() % 2 == 0; },
      [&limits](const std::string&, std::string_view member) {
        if (member.size() > limits.member) std::abort();
      });
  return 0;
}

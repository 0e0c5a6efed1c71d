#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "src/inspect/archive_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  torchada::ArchiveLimits limits;
  limits.whole = 1 << 17;
  limits.total = 4 << 20;
  limits.free = 1 << 16;
  limits.members = 1000;
  torchada::is_archive("input.tar.gz", bytes);
  torchada::ArchiveVisitor visitor;
  visitor.wants = [](const std::string& name, std::string_view) { return name.size() % 2 == 0; };
  visitor.visit = [&limits](const std::string&, std::string_view member) {
    if (member.size() > limits.whole) std::abort();
  };
  visitor.visit_large = [&limits](const std::string&, torchada::MemberStream& member) {
    std::vector<char> piece;
    std::size_t first = 0;
    std::size_t again = 0;
    while (member.read(piece)) first += piece.size();
    if (first > limits.total + (1 << 17)) std::abort();
    if (!member.restart()) return;
    while (member.read(piece)) again += piece.size();
    if (again > first) std::abort();
  };
  torchada::read_archive(bytes, limits, visitor);
  return 0;
}

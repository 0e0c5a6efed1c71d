// Reads the wanted members of an archive, one after another.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// A small archive can unpack to more than any disk holds, so anything beyond these limits is
// refused.
struct ArchiveLimits {
  std::uint64_t whole = std::uint64_t{32} << 20;  // Bytes of a member that is kept in memory.
  std::uint64_t total = std::uint64_t{16} << 30;  // Unpacked bytes of one archive.
  std::uint64_t free = std::uint64_t{64} << 20;   // Unpacked bytes that are always allowed.
  // Above `free`: at most this many times the size of the archive.
  std::uint64_t ratio = 200;
  std::uint64_t members = 1000000;
};

// Recognises zip (and so wheels), ar, tar, and tar compressed with gzip, bzip2, xz or zstd by
// content. `name` only decides whether a compressed file is a tar.
bool is_archive(std::string_view name, std::string_view bytes);

// The bytes of a member that is too large for memory, one after another.
class MemberStream {
 public:
  virtual ~MemberStream() = default;
  // Replaces `piece` by the next bytes. False at the end, or on a failure.
  virtual bool read(std::vector<char>& piece) = 0;
  // Begins again with the first byte. An archive that is compressed as a whole is unpacked again.
  // False on a failure.
  virtual bool restart() = 0;
};

struct ArchiveVisitor {
  // Gets a member's name, as in the archive, and its first bytes.
  std::function<bool(const std::string&, std::string_view)> wants;
  // Gets the name and all bytes of a wanted member.
  std::function<void(const std::string&, std::string_view)> visit;
  // For a wanted member above ArchiveLimits::whole.
  std::function<void(const std::string&, MemberStream&)> visit_large;
};

// Keeps at most ArchiveLimits::whole bytes in memory, beside what the decompressor needs. Returns
// why the archive could not be read to its end, or an empty string. Exceptions of the callbacks
// pass through.
std::string read_archive(std::string_view bytes, const ArchiveLimits& limits,
                         const ArchiveVisitor& visitor);

}  // namespace torchada

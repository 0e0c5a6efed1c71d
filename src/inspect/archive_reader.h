// Reads the wanted members of an archive, one after another, in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace torchada {

// A small archive can unpack to more than any disk holds, so anything beyond these limits is
// refused.
struct ArchiveLimits {
  std::uint64_t member = std::uint64_t{2} << 30;  // Bytes of one member.
  std::uint64_t total = std::uint64_t{16} << 30;  // Unpacked bytes of one archive.
  std::uint64_t free = std::uint64_t{64} << 20;   // Unpacked bytes that are always allowed.
  // Above `free`: at most this many times the size of the archive.
  std::uint64_t ratio = 200;
  std::uint64_t members = 1000000;
};

// Recognises zip (and so wheels), ar, tar, and tar compressed with gzip, bzip2, xz or zstd by
// content. `name` only decides whether a compressed file is a tar.
bool is_archive(std::string_view name, std::string_view bytes);

// `wants` gets a member's name and first bytes. `visit` gets the name and all bytes of the wanted
// members. Names are as in the archive. Returns why the archive could not be read to its end, or an
// empty string. Exceptions of the callbacks pass through.
std::string read_archive(std::string_view bytes, const ArchiveLimits& limits,
                         const std::function<bool(const std::string&, std::string_view)>& wants,
                         const std::function<void(const std::string&, std::string_view)>& visit);

}  // namespace torchada

#include "src/inspect/fat_binary.h"

#include <algorithm>
#include <cstring>

namespace torchada {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::size_t kAlignment = 8;
constexpr std::size_t kContainerHeader = 16;
// Size of the shortest header of an image.
constexpr std::size_t kImageHeader = 64;
constexpr std::uint64_t kDebugFlag = 0x2;
// Three methods of compression.
constexpr std::uint64_t kCompressedFlags = 0x1000 | 0x2000 | 0x8000;
// Seen in output of nvcc 13.0 for sm_90a, sm_100a and sm_100f: features of one chip, or of its
// family.
constexpr std::uint64_t kChipFlag = 0x100000;
constexpr std::uint64_t kFamilyFlag = 0x200000;
constexpr std::size_t kLongestFlags = 4096;

// Little-endian, like all machines that run CUDA.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  Number out{};
  std::memcpy(&out, bytes.data() + offset, sizeof(out));
  return out;
}

// Options of ptxas; the header holds their offset (from its start) and length.
std::string flags_of(std::string_view header) {
  const auto block = number_at<std::uint32_t>(header, 20);
  if (block < kImageHeader || block > header.size() || header.size() - block < 8) return "";
  const auto offset = number_at<std::uint32_t>(header, block);
  const auto length = number_at<std::uint32_t>(header, block + 4);
  if (offset > header.size() || length > header.size() - offset || length > kLongestFlags) {
    return "";
  }
  std::string out(header.substr(offset, length));
  out.erase(std::find(out.begin(), out.end(), '\0'), out.end());
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

FatImage::Kind kind_of(std::uint16_t number) {
  if (number == 1) return FatImage::Kind::kPtx;
  return number == 2 ? FatImage::Kind::kElf : FatImage::Kind::kOther;
}

// Reads one image and returns its size in bytes; 0 if it is damaged.
std::size_t read_image(std::string_view rest, FatImage& out) {
  if (rest.size() < kImageHeader) return 0;
  const auto header_size = number_at<std::uint32_t>(rest, 4);
  const auto size = number_at<std::uint64_t>(rest, 8);
  if (header_size < kImageHeader || header_size > rest.size()) return 0;
  if (size > rest.size() - header_size) return 0;
  const auto flags = number_at<std::uint64_t>(rest, 40);
  out.kind_number = number_at<std::uint16_t>(rest, 0);
  out.kind = kind_of(out.kind_number);
  out.architecture = number_at<std::uint32_t>(rest, 28);
  if ((flags & kChipFlag) != 0) out.suffix = "a";
  if ((flags & kFamilyFlag) != 0) out.suffix = "f";
  out.compressed = (flags & kCompressedFlags) != 0;
  out.debug = (flags & kDebugFlag) != 0;
  out.size = size;
  if (out.kind == FatImage::Kind::kPtx) out.flags = flags_of(rest.substr(0, header_size));
  out.bytes = rest.substr(header_size, size);
  return header_size + size;
}

}  // namespace

bool holds_fat_binaries(std::string_view section_name) {
  return section_name == ".nv_fatbin" || section_name == "__nv_relfatbin";
}

FatStep fat_step(std::string_view header, std::uint64_t left, std::uint64_t& inside) {
  if (inside > 0) {
    const std::uint64_t rest = std::min(inside, left);
    const bool whole = header.size() >= kImageHeader;
    const std::uint64_t length = whole ? number_at<std::uint32_t>(header, 4) : 0;
    const std::uint64_t size = whole ? number_at<std::uint64_t>(header, 8) : 0;
    if (length < kImageHeader || length > rest || size > rest - length) {
      inside = 0;
      return {std::min<std::uint64_t>(rest, kImageHeader), rest};
    }
    inside -= length + size;
    return {length, length + size};
  }
  if (header.size() < kContainerHeader || number_at<std::uint32_t>(header, 0) != kMagic) {
    return {0, std::min<std::uint64_t>(kAlignment, left)};
  }
  const std::uint64_t length = number_at<std::uint16_t>(header, 6);
  const std::uint64_t size = number_at<std::uint64_t>(header, 8);
  if (length < kContainerHeader || length > left || size > left - length) {
    return {kContainerHeader, kAlignment};
  }
  inside = size;
  return {length, length};
}

FatBinaries read_fat_binaries(std::string_view section, std::size_t most) {
  FatBinaries out;
  const auto damaged = [&out](std::size_t offset) {
    if (out.damage.empty()) {
      out.damage = "the fat binary at offset " + std::to_string(offset) + " is damaged";
    }
  };
  std::size_t offset = 0;
  std::size_t images = 0;
  while (section.size() - offset >= kContainerHeader) {
    if (images > most) {
      out.damage = "more than " + std::to_string(most) + " images: the others are not read";
      break;
    }
    if (number_at<std::uint32_t>(section, offset) != kMagic) {
      offset += std::min(kAlignment, section.size() - offset);  // Padding.
      continue;
    }
    const auto header_size = number_at<std::uint16_t>(section, offset + 6);
    const auto size = number_at<std::uint64_t>(section, offset + 8);
    if (header_size < kContainerHeader || header_size > section.size() - offset ||
        size > section.size() - offset - header_size) {
      damaged(offset);
      offset += kAlignment;
      continue;
    }
    FatBinary& binary = out.list.emplace_back();
    ++images;  // An empty one takes memory too.
    binary.offset = offset;
    std::string_view rest = section.substr(offset + header_size, size);
    while (!rest.empty()) {
      FatImage image;
      const std::size_t taken = read_image(rest, image);
      if (taken == 0) {
        damaged(offset);
        break;
      }
      binary.images.push_back(image);
      if (++images > most) break;
      rest.remove_prefix(taken);
    }
    // The next one begins at a multiple of 8 bytes.
    const std::size_t end = offset + header_size + size;
    offset = std::min((end + kAlignment - 1) / kAlignment * kAlignment, section.size());
  }
  return out;
}

}  // namespace torchada

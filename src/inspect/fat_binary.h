// The device code in an ELF file: the headers of its fat binaries, never the code itself.
//
// NVIDIA does not document the layout. It follows public descriptions that agree with each other
// and with what nvcc writes: n-eiling/cuda-fatbin-decompression and GrigoryEvko/nvopen-tools
// fatbin/FORMAT_SPECIFICATION.md. The test compares with cuobjdump.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// One image for one architecture.
struct FatImage {
  enum class Kind { kPtx, kElf, kOther };
  Kind kind = Kind::kOther;
  std::uint16_t kind_number = 0;   // As written in the file.
  std::uint32_t architecture = 0;  // 80 for sm_80 or compute_80.
  std::string suffix;              // "a" for sm_90a, "f" for sm_100f; usually empty.
  bool compressed = false;
  bool debug = false;
  std::uint64_t size = 0;  // Compressed size, as in the file.
  std::string flags;       // For PTX: options for ptxas.
  std::string_view bytes;  // Points into the section that was read.
};

struct FatBinary {
  std::uint64_t offset = 0;  // Offset of its header in the section.
  std::vector<FatImage> images;
};

struct FatBinaries {
  std::vector<FatBinary> list;
  // What is wrong, or empty. What was read before the damage is valid.
  std::string damage;
};

// Far more than any library has. Only a made-up file has more, and would fill the memory.
constexpr std::size_t kMostImages = 1000000;

// `section`: the contents of .nv_fatbin or __nv_relfatbin. Stops after `most` images and empty fat
// binaries, which counts as damage. Never fails.
FatBinaries read_fat_binaries(std::string_view section, std::size_t most = kMostImages);

// One step of read_fat_binaries(), for a reader that sees only the headers.
struct FatStep {
  std::uint64_t header = 0;  // Length of the header that begins here. 0 for padding.
  std::uint64_t skip = 0;    // Bytes to the next step.
};
constexpr std::size_t kFatHeaderSize = 64;  // Bytes that a step needs to see.
// `header`: kFatHeaderSize bytes, or fewer at the end of the section. `left`: bytes to that end.
// `inside`: bytes to the end of the fat binary, 0 between two. Updated.
FatStep fat_step(std::string_view header, std::uint64_t left, std::uint64_t& inside);

// Whether a section of this name holds fat binaries.
bool holds_fat_binaries(std::string_view section_name);

}  // namespace torchada

// What device code an ELF file carries: the headers of its fat binaries, never the code itself.
//
// NVIDIA does not document the layout. Public accounts that agree with each other and with what
// nvcc writes: n-eiling/cuda-fatbin-decompression, GrigoryEvko/nvopen-tools
// fatbin/FORMAT_SPECIFICATION.md; the test compares with cuobjdump.
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
  std::string suffix;              // "a" of sm_90a, "f" of sm_100f; mostly empty.
  bool compressed = false;
  bool debug = false;
  std::uint64_t size = 0;  // In the file, as compressed.
  std::string flags;       // Options for ptxas, of PTX.
  std::string_view bytes;  // Within what was read.
};

struct FatBinary {
  std::uint64_t offset = 0;  // Of its header in the section.
  std::vector<FatImage> images;
};

struct FatBinaries {
  std::vector<FatBinary> list;
  // What is wrong, where something is; what was read before it counts.
  std::string damage;
};

// `section`: the contents of .nv_fatbin or __nv_relfatbin. Never fails.
FatBinaries read_fat_binaries(std::string_view section);

// Whether a section of this name holds them.
bool holds_fat_binaries(std::string_view section_name);

}  // namespace torchada

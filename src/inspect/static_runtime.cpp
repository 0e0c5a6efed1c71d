#include "src/inspect/static_runtime.h"

#include <algorithm>
#include <string>
#include <vector>

#include "src/inspect/text_in_binary.h"

namespace torchada {
namespace {

constexpr std::string_view kSharedRuntime = "libcudart";

// Split in two, so that the torchada command itself does not contain the name.
constexpr std::string_view kMemory = "/cudart";
constexpr std::string_view kMemoryKind = ".shm.";

bool names_its_memory(std::string_view data) {
  for (std::size_t at = find_text(data, kMemory); at != std::string_view::npos;
       at = find_text(data, kMemory)) {
    data.remove_prefix(at + kMemory.size());
    if (data.starts_with(kMemoryKind)) return true;
  }
  return false;
}

bool has(const std::vector<std::string_view>& parts, bool (*mark)(std::string_view)) {
  return std::any_of(parts.begin(), parts.end(), mark);
}

}  // namespace

bool has_static_runtime(const ElfFile& file, std::string_view bytes) {
  if (file.soname.starts_with(kSharedRuntime)) return false;
  for (const std::string& name : file.needed) {
    if (std::string_view(name).substr(name.rfind('/') + 1).starts_with(kSharedRuntime))
      return false;
  }
  std::vector<std::string_view> parts;
  for (const ElfSection& section : file.sections) {
    if (holds_data(section)) parts.push_back(contents_of(section, bytes));
  }
  if (parts.empty()) parts.push_back(bytes);  // The section headers are gone.
  // The rarest text comes first.
  return has(parts, names_its_memory) &&
         has(parts,
             [](std::string_view data) { return has_string(data, "cudaErrorCudartUnloading"); }) &&
         has(parts, [](std::string_view data) {
           return find_text(data, "libcuda.so.1") != std::string_view::npos;
         });
}

}  // namespace torchada

#include "src/inspect/static_runtime.h"

#include <algorithm>
#include <string>
#include <vector>

#include "src/inspect/mapped_file.h"
#include "src/inspect/text_in_binary.h"

namespace torchada {
namespace {

constexpr std::string_view kSharedRuntime = "libcudart";

// What follows. Split in two, so that the torchada command itself does not contain the name.
constexpr std::string_view kMemoryKind = ".shm.";

bool names_its_memory(std::string_view data) {
  for (std::size_t at = find_text(data, kMemoryOfStaticRuntime); at != std::string_view::npos;
       at = find_text(data, kMemoryOfStaticRuntime)) {
    data.remove_prefix(at + kMemoryOfStaticRuntime.size());
    if (data.starts_with(kMemoryKind)) return true;
  }
  return false;
}

std::vector<std::string_view> parts_of(const ElfFile& file, std::string_view bytes) {
  std::vector<std::string_view> out;
  for (const ElfSection& section : file.sections) {
    if (holds_data(section)) out.push_back(contents_of(section, bytes));
  }
  if (out.empty()) out.push_back(bytes);  // The section headers are gone.
  return out;
}

// The last of the bytes that are looked at together.
std::string_view end_of(std::string_view part) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  const std::string_view out = part.substr(part.size() - std::min(part.size(), kStep));
  will_read_all(out);
  return out;
}

// Whether a part has the mark. Begins with the ends of the parts: the runtime is usually linked
// last.
bool has(const std::vector<std::string_view>& parts, bool (*mark)(std::string_view)) {
  constexpr std::size_t kLongestMark = 64;  // It may lie across two steps.
  return std::any_of(parts.begin(), parts.end(), [mark](std::string_view part) {
    for (std::size_t left = part.size(); left > 0;) {
      const std::string_view end = end_of(part.substr(0, left));
      const std::size_t begin = left - end.size();
      // With the byte before: it tells where a string begins.
      const std::size_t from = begin > 0 ? begin - 1 : 0;
      if (mark(part.substr(from, left - from + kLongestMark))) return true;
      left = begin;
    }
    return false;
  });
}

}  // namespace

bool may_end_in_static_runtime(const ElfFile& file, std::string_view bytes) {
  const std::vector<std::string_view> parts = parts_of(file, bytes);
  return std::any_of(parts.begin(), parts.end(),
                     [](std::string_view part) { return names_its_memory(end_of(part)); });
}

bool has_static_runtime(const ElfFile& file, std::string_view bytes) {
  if (file.soname.starts_with(kSharedRuntime)) return false;
  for (const std::string& name : file.needed) {
    if (std::string_view(name).substr(name.rfind('/') + 1).starts_with(kSharedRuntime))
      return false;
  }
  const std::vector<std::string_view> parts = parts_of(file, bytes);
  // The rarest text comes first.
  return has(parts, names_its_memory) &&
         has(parts,
             [](std::string_view data) { return has_string(data, "cudaErrorCudartUnloading"); }) &&
         has(parts, [](std::string_view data) {
           return find_text(data, kDriverOfStaticRuntime) != std::string_view::npos;
         });
}

}  // namespace torchada

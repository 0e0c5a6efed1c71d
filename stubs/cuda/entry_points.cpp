#include "stubs/cuda/entry_points.h"

#include <stdint.h>
#include <string.h>

#include "stubs/table.h"

namespace torchada {
namespace {

struct EntryName {
  uint16_t name;   // Offset in kNames.
  uint16_t first;  // Of its functions in kEntryPoints; the next name's are behind them.
};

// One function of a name and its per-thread form.
struct EntryPoint {
  uint16_t version;             // The first CUDA version that has it.
  uint16_t symbol;              // Index in torchada_library.symbols.
  uint16_t per_thread_version;  // 0 if there is none.
  uint16_t per_thread_symbol;
};

// kNames, kEntryNames in the order of strcmp with one more at the end, kEntryPoints.
#include "entry_points.inc"

constexpr unsigned kNameCount = sizeof kEntryNames / sizeof *kEntryNames - 1;

// Null for an unknown name.
const EntryName* find_name(const char* name) {
  unsigned low = 0;
  unsigned high = kNameCount;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    const int order = strcmp(name, kNames + kEntryNames[middle].name);
    if (order == 0) return &kEntryNames[middle];
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return nullptr;
}

}  // namespace

Found find_entry_point(const char* name, int version, bool per_thread, void** function) {
  *function = nullptr;
  const EntryName* const found = find_name(name);
  if (!found) return Found::kNoSuchName;
  const EntryPoint* newest = nullptr;
  for (unsigned i = found->first; i < found[1].first && kEntryPoints[i].version <= version; ++i) {
    newest = &kEntryPoints[i];
  }
  if (!newest) return Found::kNeedsNewerVersion;
  const bool own_stream = per_thread && newest->per_thread_version != 0;
  // As NVIDIA's driver answers: a function for the legacy stream is no substitute.
  if (own_stream && newest->per_thread_version > version) return Found::kNeedsNewerVersion;
  *function = trampoline_of(own_stream ? newest->per_thread_symbol : newest->symbol);
  return Found::kFunction;
}

}  // namespace torchada

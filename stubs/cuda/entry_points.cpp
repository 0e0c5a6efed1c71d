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
  // As NVIDIA's driver answers: where there are functions for the thread's own stream, one for the
  // legacy stream is no substitute.
  bool own_stream = false;
  for (unsigned i = found->first; per_thread && i < found[1].first; ++i) {
    own_stream = own_stream || kEntryPoints[i].per_thread_version != 0;
  }
  const EntryPoint* newest = nullptr;
  for (unsigned i = found->first; i < found[1].first; ++i) {
    const EntryPoint& entry = kEntryPoints[i];
    const int since = own_stream ? entry.per_thread_version : entry.version;
    if (since != 0 && since <= version) newest = &entry;
  }
  if (!newest) return Found::kNeedsNewerVersion;
  *function = trampoline_of(own_stream ? newest->per_thread_symbol : newest->symbol);
  return Found::kFunction;
}

}  // namespace torchada

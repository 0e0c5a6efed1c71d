#include "stubs/cudart/code_index.h"

#include <stdint.h>

#include "stubs/cudart/code_memory.h"

namespace torchada {
namespace {

constexpr size_t kSlot = sizeof(void*);  // Bytes.
constexpr size_t kLeast = 512;           // Slots: one page.

// Takes the place of a removed record, so that searches still reach the records behind it.
CodeRecord removed_record;
CodeRecord* const kRemoved = &removed_record;

}  // namespace

// Functions lie 16 bytes apart and variables side by side: the product spreads both over the top
// bits.
size_t CodeIndex::place_of(const void* host) const {
  const uint64_t mixed = reinterpret_cast<uintptr_t>(host) * 0x9e3779b97f4a7c15U;
  return static_cast<size_t>(mixed >> 32) & (capacity_ - 1);
}

bool CodeIndex::reserve(size_t count) {
  // A quarter of the slots stays empty, or a search for a missing record would never end. A new
  // table is at most half full.
  if ((used_ + count - live_) * 4 <= capacity_ * 3) return true;
  size_t wanted = kLeast;
  while (wanted < count * 2) wanted *= 2;
  auto* const fresh = static_cast<CodeRecord**>(map_pages(wanted * kSlot));
  if (!fresh) return false;
  CodeRecord** const old = slots_;
  const size_t old_capacity = capacity_;
  slots_ = fresh;
  capacity_ = wanted;
  used_ = live_ = 0;
  for (size_t i = 0; i < old_capacity; ++i) {
    if (old[i] && old[i] != kRemoved) add(old[i]);
  }
  if (old) unmap_pages(old, old_capacity * kSlot);
  return true;
}

void CodeIndex::add(CodeRecord* record) {
  size_t at = place_of(record->host);
  while (slots_[at] && slots_[at] != kRemoved) at = (at + 1) & (capacity_ - 1);
  if (!slots_[at]) ++used_;
  ++live_;
  slots_[at] = record;
}

void CodeIndex::remove(const CodeRecord* record) {
  size_t at = place_of(record->host);
  while (slots_[at] && slots_[at] != record) at = (at + 1) & (capacity_ - 1);
  if (!slots_[at]) return;
  slots_[at] = kRemoved;
  --live_;
}

CodeRecord* CodeIndex::find(const void* host) const {
  if (capacity_ == 0) return nullptr;
  for (size_t at = place_of(host); slots_[at]; at = (at + 1) & (capacity_ - 1)) {
    if (slots_[at] != kRemoved && slots_[at]->host == host) return slots_[at];
  }
  return nullptr;
}

}  // namespace torchada

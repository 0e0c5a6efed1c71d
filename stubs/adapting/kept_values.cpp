#include "stubs/adapting/kept_values.h"

#include "stubs/system/fork_safe_lock.h"

namespace torchada {
namespace {

// A program has a few handles for each device and thread, of which few have another value than the
// initial one. Untouched pages cost nothing.
constexpr unsigned kPlaces = 4096;

struct Place {
  const void* object;  // Null: free.
  KeptKind kind;
  int64_t value;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
using Lock = ForkSafeLock<mutex>;
Place places[kPlaces];
unsigned used;  // Places from here on are free. Changed under the lock, and read without it.

Place* find(const void* object, KeptKind kind) {
  for (unsigned i = 0; i < used; ++i) {
    if (places[i].object == object && places[i].kind == kind) return &places[i];
  }
  return nullptr;
}

Place* free_place() {
  for (unsigned i = 0; i < used; ++i) {
    if (!places[i].object) return &places[i];
  }
  if (used == kPlaces) return nullptr;
  __atomic_store_n(&used, used + 1, __ATOMIC_RELAXED);
  return &places[used - 1];
}

bool is_anything_kept() { return __atomic_load_n(&used, __ATOMIC_RELAXED) != 0; }

}  // namespace

bool keep_value(const void* object, KeptKind kind, int64_t value, int64_t initial) {
  if (value == initial && !is_anything_kept()) return true;
  const Lock lock;
  Place* place = find(object, kind);
  if (value == initial) {
    if (place) place->object = nullptr;
    return true;
  }
  if (!place) place = free_place();
  if (!place) return false;
  *place = {object, kind, value};
  return true;
}

int64_t kept_value(const void* object, KeptKind kind, int64_t initial) {
  if (!is_anything_kept()) return initial;
  const Lock lock;
  const Place* const place = find(object, kind);
  return place ? place->value : initial;
}

void forget_values(const void* object) {
  if (!object || !is_anything_kept()) return;
  const Lock lock;
  for (unsigned i = 0; i < used; ++i) {
    if (places[i].object == object) places[i].object = nullptr;
  }
}

}  // namespace torchada

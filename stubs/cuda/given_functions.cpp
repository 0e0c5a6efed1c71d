#include "stubs/cuda/given_functions.h"

#include <stddef.h>
#include <string.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/names.h"
#include "stubs/system/fork_safe_lock.h"

namespace torchada::driver {
namespace {

struct Given {
  const void* handle;  // Null where nothing is.
  const void* module;
  const char* name;
  uint8_t roles;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
MappedArray<Given> places;  // By the handle's hash; at least half of them stay empty.
size_t count;

using Lock = ForkSafeLock<mutex>;

// Where the handle is, or would be. There is a place.
Given& place_of(const void* handle) {
  const size_t mask = places.size() - 1;
  const auto bits = reinterpret_cast<uintptr_t>(handle) * 0x9e3779b97f4a7c15U;
  for (size_t at = (bits >> 32) & mask;; at = (at + 1) & mask) {
    Given& place = places[at];
    if (!place.handle || place.handle == handle) return place;
  }
}

// Null if it is not known.
Given* find(const void* handle) {
  if (!handle || places.size() == 0) return nullptr;
  Given& place = place_of(handle);
  return place.handle ? &place : nullptr;
}

// Moves everything but what belongs to `gone` into `size` places. False without memory; nothing has
// changed then.
bool move_into(size_t size, const void* gone) {
  MappedArray<Given> before = places;
  places = {};
  if (!places.resize(size)) {
    places = before;
    return false;
  }
  count = 0;
  for (const Given& given : before) {
    if (!given.handle || (gone && given.module == gone)) continue;
    place_of(given.handle) = given;
    ++count;
  }
  before.release();
  return true;
}

// Null without memory.
const char* kept(const char* name) {
  const kernels::Lock hold;
  return kernels::keep_text(name);
}

}  // namespace

void note_given(const void* handle, Role role, const void* module, const char* name) {
  if (!handle) return;
  const Lock hold;
  // Without memory the handle is not noted, and passes as anything.
  if ((count + 1) * 2 > places.size() &&
      !move_into(places.size() == 0 ? 256 : places.size() * 2, nullptr)) {
    return;
  }
  Given& place = place_of(handle);
  if (!place.handle) ++count;
  if (!place.handle || place.module != module) place = {handle, module, nullptr, 0};
  if (!place.name || strcmp(place.name, name) != 0) place.name = kept(name);
  place.roles |= static_cast<uint8_t>(role);
}

void note_also_given(const void* handle, Role role) {
  const Lock hold;
  if (Given* const known = find(handle)) known->roles |= static_cast<uint8_t>(role);
}

bool passes_as(const void* handle, Role role) {
  const Lock hold;
  const Given* const known = find(handle);
  return !known || (known->roles & static_cast<uint8_t>(role)) != 0;
}

const void* module_of_given(const void* handle) {
  const Lock hold;
  const Given* const known = find(handle);
  return known ? known->module : nullptr;
}

const char* name_of_given(const void* handle) {
  const Lock hold;
  const Given* const known = find(handle);
  return known ? known->name : nullptr;
}

void forget_given_of(const void* module) {
  const Lock hold;
  bool has_any = false;
  for (const Given& given : places) has_any = has_any || (given.handle && given.module == module);
  if (has_any) move_into(places.size(), module);
}

int require_function(const char* name, void* function) {
  int threads = 0;
  return outcome(
      {name, "muFuncGetAttribute"},
      muFuncGetAttribute(&threads, static_cast<int>(cuda::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                         function));
}

}  // namespace torchada::driver

#include "stubs/cudart/kept_graphs.h"

#include "stubs/system/fork_safe_lock.h"

namespace torchada {
namespace {

// Untouched pages cost nothing. For an executable beyond these, its graph is destroyed as asked.
constexpr unsigned kPlaces = 1u << 14;

struct Made {
  void* executable;  // Null: a free place.
  void* graph;
  bool is_destroyed;  // The program destroyed the graph.
};
Made places[kPlaces];
unsigned used = 0;  // Places from here on were never taken.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

using Lock = ForkSafeLock<mutex>;

Made* find(const void* executable) {
  for (unsigned i = 0; i < used; ++i) {
    if (places[i].executable == executable) return &places[i];
  }
  return nullptr;
}

}  // namespace

void add_executable(void* executable, void* graph) {
  const Lock hold;
  Made* place = find(executable);
  if (!place) place = find(nullptr);
  if (!place && used < kPlaces) place = &places[used++];
  if (place) *place = {executable, graph, false};
}

bool keep_graph(void* graph) {
  const Lock hold;
  bool is_used = false;
  for (unsigned i = 0; i < used; ++i) {
    if (!places[i].executable || places[i].graph != graph) continue;
    places[i].is_destroyed = true;
    is_used = true;
  }
  return is_used;
}

Origin remove_executable(void* executable) {
  const Lock hold;
  Made* const place = executable ? find(executable) : nullptr;
  if (!place) return {nullptr, false, false};
  const Made made = *place;
  *place = {};
  bool is_used = false;
  for (unsigned i = 0; i < used && !is_used; ++i) {
    is_used = places[i].executable && places[i].graph == made.graph;
  }
  return {made.graph, made.is_destroyed, !is_used};
}

}  // namespace torchada

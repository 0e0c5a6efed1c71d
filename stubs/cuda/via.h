// The ways to MUSA that rows of the driver share (`via` in mappings/forward/cuda.yaml).
#pragma once

#include "stubs/adapting/driver_version.h"
#include "stubs/adapting/passed.h"
#include "stubs/cuda/given_functions.h"
#include "stubs/cuda/in_context.h"
#include "stubs/cuda/modules.h"
#include "stubs/cuda/named_modules.h"
#include "stubs/cuda/node_params.h"
#include "stubs/cuda/pool_device.h"
#include "stubs/cuda/runtime.h"
#include "stubs/cuda/virtual_memory.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/nvidia_image.h"

namespace torchada::via {

// The stream that a function works in.
struct Stream {
  void* handle;
};

inline const Stream* as_stream(const Stream& stream) { return &stream; }
template <typename Other>
const Stream* as_stream(const Other&) {
  return nullptr;
}

// A function of the runtime behind one of the driver.
template <typename... Taken, typename... Given>
int runtime(const Function& function, int (*call)(Taken...), Given... given) {
  const Stream* stream = nullptr;
  ((stream = stream ? stream : as_stream(given)), ...);
  const auto made = [&] { return call(passed<Taken>(given)...); };
  return stream ? driver::in_stream(function, stream->handle, made)
                : driver::by_runtime(function, made);
}

// A pool of a device, for a location.
inline int pool(const Function& function, int (*call)(void**, int), void* pool, const void* place,
                int type) {
  int device = 0;
  if (const int refused = driver::device_of_pool(function.cuda, place, type, 2, &device)) {
    return refused;
  }
  return driver::by_runtime(function, [=] { return call(static_cast<void**>(pool), device); });
}

inline int pool(const Function& function, int (*call)(int, void*), const void* place, int type,
                void* pool) {
  int device = 0;
  if (const int refused = driver::device_of_pool(function.cuda, place, type, 1, &device)) {
    return refused;
  }
  return driver::by_runtime(function, [=] { return call(device, pool); });
}

// The context that a function works in, instead of the current one.
struct Context {
  void* handle;
};

inline int context(const Function& function, int (*call)(int*), void* out, Context context) {
  return driver::in_context(function.cuda, context.handle,
                            [=] { return outcome(function, call(static_cast<int*>(out))); });
}

inline int context(const Function& function, int (*call)(), Context context) {
  return driver::in_context(function.cuda, context.handle,
                            [=] { return outcome(function, call()); });
}

// What a program may pass and MUSA may not get. `check` returns 0, or the status to return.
struct FunctionHandle {
  void* handle;
};
struct Properties {
  const void* wanted;
};
struct Place {
  const void* location;
};
struct Module {
  void* handle;
};
struct KernelNode {
  const void* params;
};
struct PoolNode {
  void* params;
};
// None is defined, and the runtime's have 32 bits.
struct NoFlags {
  explicit NoFlags(unsigned long long flags) : are_none(flags == 0) {}
  explicit operator unsigned() const { return 0; }
  bool are_none;
};

inline int check(const Function&, FunctionHandle function) {
  if (driver::passes_as(function.handle, driver::Role::kFunction)) return 0;
  return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE));
}
inline int check(const Function& function, Properties properties) {
  return driver::check_properties(function.cuda, properties.wanted);
}
inline int check(const Function& function, Place place) {
  if (!place.location) return 0;
  return driver::check_place(function.cuda, "location->type", place.location);
}
inline int check(const Function& function, Module module) {
  return driver::require_musas(function.cuda, module.handle);
}
inline int check(const Function& function, KernelNode node) {
  return driver::refuse_members(function.cuda,
                                static_cast<const driver::KernelParams*>(node.params));
}
inline int check(const Function& function, PoolNode node) {
  return node.params ? driver::refuse_pool_members(function.cuda, node.params) : fail(kInvalid);
}
inline int check(const Function&, NoFlags flags) { return flags.are_none ? 0 : fail(kInvalid); }
template <typename Other>
int check(const Function&, const Other&) {
  return 0;
}

// A function whose arguments are checked before MUSA gets them.
template <typename... Taken, typename... Given>
int checked(const Function& function, int (*call)(Taken...), Given... given) {
  int refused = 0;
  if (((refused = check(function, given)) || ...)) return refused;
  return outcome(function, call(passed<Taken>(given)...));
}

template <typename... Taken, typename... Given>
int function(const Function& function, int (*call)(Taken...), Given... given) {
  return checked(function, call, given...);
}

template <typename... Taken, typename... Given>
int memory(const Function& function, int (*call)(Taken...), Given... given) {
  return checked(function, call, given...);
}

template <typename... Taken, typename... Given>
int reference(const Function& function, int (*call)(Taken...), Given... given) {
  return checked(function, call, given...);
}

template <typename... Taken, typename... Given>
int node(const Function& function, int (*call)(Taken...), Given... given) {
  return checked(function, call, given...);
}

// The same for a function of the runtime.
template <typename... Taken, typename... Given>
int flagless(const Function& function, int (*call)(Taken...), Given... given) {
  int refused = 0;
  if (((refused = check(function, given)) || ...)) return refused;
  return driver::by_runtime(function, [&] { return call(passed<Taken>(given)...); });
}

// A module of an image, of a bundle, or of the names of NVIDIA's.
inline int image(const Function& function, int (*call)(void**, const void*), void* module,
                 const void* image) {
  void** const place = static_cast<void**>(module);
  if (const auto found = kernels::examine_image(image)) {
    return driver::load_names(function.cuda, "image", found, place);
  }
  if (kernels::is_bundle(image)) return driver::load_bundle(function.cuda, place, image);
  return outcome(function, call(place, image));
}

// Where the data of edges goes. MUSA's driver has none.
struct Edges {
  void* first;
};

// `*count` is the capacity of the arrays before the call and the number of edges after it. `edges`
// is null if the program does not ask for the edges themselves.
template <typename Ask>
int with_plain_edges(const Function& function, void* edges, const size_t* count, Ask ask) {
  const size_t room = edges && count ? *count : 0;
  const int status = outcome(function, ask());
  if (status == 0 && room != 0) memset(edges, 0, room * cuda::sizeof_CUgraphEdgeData);
  return status;
}

inline int edges(const Function& function, int (*call)(void*, void**, void**, size_t*), void* graph,
                 void* from, void* to, Edges edges, void* count) {
  auto* const number = static_cast<size_t*>(count);
  return with_plain_edges(function, from && to ? edges.first : nullptr, number, [=] {
    return call(graph, static_cast<void**>(from), static_cast<void**>(to), number);
  });
}

inline int edges(const Function& function, int (*call)(void*, void**, size_t*), void* node,
                 void* nodes, Edges edges, void* count) {
  auto* const number = static_cast<size_t*>(count);
  return with_plain_edges(function, nodes ? edges.first : nullptr, number,
                          [=] { return call(node, static_cast<void**>(nodes), number); });
}

}  // namespace torchada::via

// The ways to MUSA that rows of the driver share (`via` in mappings/forward/cuda.yaml).
#pragma once

#include "stubs/adapting/passed.h"
#include "stubs/cuda/given_functions.h"
#include "stubs/cuda/in_context.h"
#include "stubs/cuda/pool_device.h"
#include "stubs/cuda/runtime.h"
#include "stubs/cuda/virtual_memory.h"

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

}  // namespace torchada::via

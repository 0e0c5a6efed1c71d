#include "stubs/cuda/old_launch.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/given_functions.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/reporting/fallback.h"
#include "stubs/system/fork_safe_lock.h"
#include "stubs/system/kept_rooms.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::passes_as;
using torchada::driver::require_function;
using torchada::driver::Role;
namespace cuda = torchada::cuda;

constexpr int kOutOfMemory = static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY);

// The most that CUDA's kernels of that time take.
constexpr size_t kMostParameterBytes = 4096;
static_assert(kMostParameterBytes <= torchada::kRoomBytes);

struct Set {
  const void* function;
  const void* module;  // Null if it is not known.
  unsigned block[3];   // 0: not set.
  unsigned shared_bytes;
  unsigned parameter_bytes;
  torchada::MappedArray<char> parameters;  // At least parameter_bytes; 0 where none was set.
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
using Lock = torchada::ForkSafeLock<mutex>;
torchada::MappedArray<Set> all;

// Null if nothing was set.
Set* find(const void* function) {
  for (Set& set : all) {
    if (set.function == function) return &set;
  }
  return nullptr;
}

// 0, or the status to return for a handle that is no CUfunction.
int require_settable(const char* name, void* function) {
  if (passes_as(function, Role::kFunction)) return require_function(name, function);
  return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE));
}

// `change` returns a status, and gets what is set for the function.
template <typename Change>
int change_set(const char* name, void* function, Change change) {
  if (const int status = require_settable(name, function)) return status;
  const void* const module = torchada::driver::module_of_given(function);
  const Lock lock;
  Set* set = find(function);
  if (!set) {
    if (!all.add({function, module, {}, 0, 0, {}})) return fail(kOutOfMemory);
    set = all.end() - 1;
  }
  return change(*set);
}

// Has room for that many bytes of parameters. 0, or the status to return.
int make_room(Set* set, size_t bytes) {
  const bool has_room = bytes <= set->parameters.size() || set->parameters.resize(bytes);
  return has_room ? 0 : fail(kOutOfMemory);
}

int set_parameter(const char* name, void* function, int offset, const void* value, size_t bytes) {
  const bool fits = offset >= 0 && bytes <= kMostParameterBytes &&
                    static_cast<size_t>(offset) <= kMostParameterBytes - bytes;
  return change_set(name, function, [=](Set& set) {
    if (!fits || (!value && bytes != 0)) return fail(torchada::kInvalid);
    if (bytes == 0) return 0;
    const auto at = static_cast<size_t>(offset);
    if (const int status = make_room(&set, at + bytes)) return status;
    memcpy(&set.parameters[at], value, bytes);
    return 0;
  });
}

// What is set for the function, and its parameters in a room.
Set copy_of_set(const void* function, char* room) {
  const Lock lock;
  Set* const set = find(function);
  if (!set) return {};
  if (set->parameter_bytes != 0) memcpy(room, set->parameters.begin(), set->parameter_bytes);
  return *set;
}

int launch(const char* name, void* function, int width, int height, void* stream) {
  // Copies: while MUSA launches, which takes long if it waits, other threads may set something.
  char* const parameters = torchada::take_room();
  if (!parameters) return fail(kOutOfMemory);
  const Set set = copy_of_set(function, parameters);
  int status = 0;
  if (set.block[0] == 0 || width <= 0 || height <= 0) {
    status = require_function(name, function);
    if (status == 0) status = fail(torchada::kInvalid);
  } else {
    // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE and CU_LAUNCH_PARAM_END.
    size_t bytes = set.parameter_bytes;
    void* extra[] = {reinterpret_cast<void*>(1), parameters, reinterpret_cast<void*>(2), &bytes,
                     nullptr};
    status = outcome(
        {name, "muLaunchKernel"},
        muLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                       set.block[0], set.block[1], set.block[2], set.shared_bytes, stream, nullptr,
                       bytes != 0 ? extra : nullptr));
  }
  torchada::give_back_room(parameters);
  return status;
}

}  // namespace

void torchada::driver::forget_set_of(const void* module) {
  const Lock lock;
  for (size_t i = all.size(); i-- > 0;) {
    if (!module || all[i].module != module) continue;
    all[i].parameters.release();
    all[i] = all[all.size() - 1];
    all.remove_last();
  }
}

extern "C" {

int torchada_adapter_cuFuncSetBlockShape(void* function, int x, int y, int z) {
  return change_set("cuFuncSetBlockShape", function, [=](Set& set) {
    if (x <= 0 || y <= 0 || z <= 0) return fail(torchada::kInvalid);
    set.block[0] = static_cast<unsigned>(x);
    set.block[1] = static_cast<unsigned>(y);
    set.block[2] = static_cast<unsigned>(z);
    return 0;
  });
}

int torchada_adapter_cuFuncSetSharedSize(void* function, unsigned bytes) {
  return change_set("cuFuncSetSharedSize", function, [=](Set& set) {
    set.shared_bytes = bytes;
    return 0;
  });
}

int torchada_adapter_cuParamSetSize(void* function, unsigned bytes) {
  return change_set("cuParamSetSize", function, [=](Set& set) {
    if (bytes > kMostParameterBytes) return fail(torchada::kInvalid);
    if (const int status = make_room(&set, bytes)) return status;
    set.parameter_bytes = bytes;
    return 0;
  });
}

int torchada_adapter_cuParamSeti(void* function, int offset, unsigned value) {
  return set_parameter("cuParamSeti", function, offset, &value, sizeof value);
}

int torchada_adapter_cuParamSetf(void* function, int offset, float value) {
  return set_parameter("cuParamSetf", function, offset, &value, sizeof value);
}

int torchada_adapter_cuParamSetv(void* function, int offset, void* value, unsigned bytes) {
  return set_parameter("cuParamSetv", function, offset, value, bytes);
}

int torchada_adapter_cuLaunch(void* function) {
  return launch("cuLaunch", function, 1, 1, nullptr);
}

int torchada_adapter_cuLaunchGrid(void* function, int width, int height) {
  return launch("cuLaunchGrid", function, width, height, nullptr);
}

int torchada_adapter_cuLaunchGridAsync(void* function, int width, int height, void* stream) {
  return launch("cuLaunchGridAsync", function, width, height, stream);
}

}  // extern "C"

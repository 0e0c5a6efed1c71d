// What libmusart asks of libmusa: the operations of the driver, with the arguments and answers of
// the runtime's functions of the same names.
//
// Each returns its status and leaves the thread's last error alone, which only a runtime has. No
// exception leaves any of them: the two libraries contain a C++ runtime each.
#pragma once

#include "musa_runtime_api.h"

#pragma GCC visibility push(default)

namespace musa {

// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define OPERATION(count, function, operation) decltype(::function) operation;
#include "src/host/musa/operation_list.inc"
#undef OPERATION

// memcpy_2d_array_to_array in a stream, for which the API has no name.
musaError_t memcpy_2d_array_to_array_async(musaArray_t dst, size_t dst_x, size_t dst_y,
                                           musaArray_const_t src, size_t src_x, size_t src_y,
                                           size_t width, size_t height, musaMemcpyKind kind,
                                           musaStream_t stream);
// Writes what the struct has in every SDK.
decltype(::musaPointerGetAttributes) pointer_get_attributes;
// musaErrorInvalidResourceHandle unless the stream is live.
musaError_t check_stream(musaStream_t stream);
// What a device refuses before it looks at the function.
musaError_t check_launch(dim3 grid, dim3 block, size_t shared_bytes, musaStream_t stream);
musaError_t check_launches(const musaLaunchParams* launches, unsigned int count,
                           unsigned int flags);

// SDK 5.0 changed the arguments of the two runtime functions that use these.
struct Instantiation {
  unsigned long long flags = 0;
  musaGraphExec_t exec = nullptr;
  musaGraphNode_t blamed = nullptr;
  musaGraphInstantiateResult result = musaGraphInstantiateError;
};
musaError_t instantiate(musaGraph_t graph, Instantiation* made);
// The form of musaGraphInstantiate before SDK 5.0, which is the driver's. Writes an error's text to
// the log. The node and the log are optional.
musaError_t graph_instantiate_with_log(musaGraphExec_t* exec, musaGraph_t graph,
                                       musaGraphNode_t* blamed, char* log, size_t log_size);

struct Update {
  musaGraphExecUpdateResult result = musaGraphExecUpdateError;
  musaGraphNode_t node = nullptr;
  musaGraphNode_t from = nullptr;
};
musaError_t update_exec(musaGraphExec_t exec, musaGraph_t graph, Update* update);

// Whether work that runs in a stream may use these bytes: they are allocated, or are the program's
// own. If not, the stream's device has met an illegal address, which every wait reports from now
// on.
bool may_use(const void* start, size_t bytes) noexcept;

// Runs a library's short work for a stream on the calling thread, which takes less time than waking
// another. False if it has to be enqueued: the stream captures, or earlier work is left. The work
// throws nothing.
bool run_here(musaStream_t stream, void (*work)(void*), void* data) noexcept;

// Called by work in a stream: it cannot be done, and every wait for the device says so.
void work_found_no_memory() noexcept;

// Never null.
const char* error_name(musaError_t error);
const char* error_text(musaError_t error);

// What differs between the trees' drivers: the version, whether musaSetDevice makes a context
// current at once, how many blocks a grid may have in y and z, and whether the driver's functions
// change executable graphs.
int driver_version();
bool set_device_makes_current();
int grid_limit_yz();
bool changes_executable_graphs();

}  // namespace musa

#pragma GCC visibility pop

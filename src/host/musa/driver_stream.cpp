// Streams and events.
#include "src/host/musa/driver_call.h"
#include "src/host/musa/handles.h"

using musa::context_call;
using musa::Runtime;

MUresult muStreamCreate(MUstream* phStream, unsigned int Flags) {
  return context_call([&](Runtime&) { return musa::stream_create_with_flags(phStream, Flags); });
}

MUresult muStreamCreateWithPriority(MUstream* phStream, unsigned int flags, int priority) {
  return context_call(
      [&](Runtime&) { return musa::stream_create_with_priority(phStream, flags, priority); });
}

MUresult muStreamDestroy_v2(MUstream hStream) {
  return context_call([&](Runtime&) { return musa::stream_destroy(hStream); });
}

MUresult muStreamGetPriority(MUstream hStream, int* priority) {
  return context_call([&](Runtime&) { return musa::stream_get_priority(hStream, priority); });
}

MUresult muStreamGetFlags(MUstream hStream, unsigned int* flags) {
  return context_call([&](Runtime&) { return musa::stream_get_flags(hStream, flags); });
}

MUresult muStreamGetId(MUstream hStream, unsigned long long* streamId) {
  return context_call([&](Runtime&) {
    // Unlike the runtime's, this function does not know the default streams.
    if (hStream == nullptr || hStream == musaStreamLegacy || hStream == musaStreamPerThread) {
      return musaErrorInvalidValue;
    }
    return musa::stream_get_id(hStream, streamId);
  });
}

MUresult muStreamGetCtx(MUstream hStream, MUcontext* pctx) {
  return context_call([&](Runtime& runtime) {
    if (pctx == nullptr) return musaErrorInvalidValue;
    const auto stream = musa::resolve_stream(runtime, hStream);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    const musa::Context& current = *musa::current_context();
    *pctx = current.device == stream->device() ? current.handle
                                               : musa::primary_context(stream->device())->handle;
    return musaSuccess;
  });
}

MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags) {
  return context_call([&](Runtime&) { return musa::stream_wait_event(hStream, hEvent, Flags); });
}

MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void* userData,
                             unsigned int flags) {
  return context_call([&](Runtime&) {
    return musa::stream_add_callback(hStream, reinterpret_cast<musaStreamCallback_t>(callback),
                                     userData, flags);
  });
}

MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length,
                                unsigned int flags) {
  return context_call([&](Runtime&) {
    return musa::stream_attach_mem_async(hStream, musa::pointer(dptr), length, flags);
  });
}

MUresult muStreamQuery(MUstream hStream) {
  return context_call([&](Runtime&) { return musa::stream_query(hStream); });
}

MUresult muStreamSynchronize(MUstream hStream) {
  return context_call([&](Runtime&) { return musa::stream_synchronize(hStream); });
}

MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void* userData) {
  return context_call([&](Runtime&) { return musa::launch_host_func(hStream, fn, userData); });
}

MUresult muEventCreate(MUevent* phEvent, unsigned int Flags) {
  return context_call([&](Runtime&) { return musa::event_create_with_flags(phEvent, Flags); });
}

MUresult muEventRecord(MUevent hEvent, MUstream hStream) {
  return context_call([&](Runtime&) { return musa::event_record(hEvent, hStream); });
}

MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags) {
  return context_call(
      [&](Runtime&) { return musa::event_record_with_flags(hEvent, hStream, flags); });
}

MUresult muEventQuery(MUevent hEvent) {
  return context_call([&](Runtime&) { return musa::event_query(hEvent); });
}

MUresult muEventSynchronize(MUevent hEvent) {
  return context_call([&](Runtime&) { return musa::event_synchronize(hEvent); });
}

MUresult muEventDestroy_v2(MUevent hEvent) {
  return context_call([&](Runtime&) { return musa::event_destroy(hEvent); });
}

MUresult muEventElapsedTime(float* pMilliseconds, MUevent hStart, MUevent hEnd) {
  return context_call(
      [&](Runtime&) { return musa::event_elapsed_time(pMilliseconds, hStart, hEnd); });
}

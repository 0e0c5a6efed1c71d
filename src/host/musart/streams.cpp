#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return recorded(musa::device_get_stream_priority_range(leastPriority, greatestPriority));
}

musaError_t musaStreamCreate(musaStream_t* pStream) {
  return recorded(musa::stream_create(pStream));
}

musaError_t musaStreamCreateWithFlags(musaStream_t* pStream, unsigned int flags) {
  return recorded(musa::stream_create_with_flags(pStream, flags));
}

musaError_t musaStreamCreateWithPriority(musaStream_t* pStream, unsigned int flags, int priority) {
  return recorded(musa::stream_create_with_priority(pStream, flags, priority));
}

musaError_t musaStreamDestroy(musaStream_t stream) {
  return recorded(musa::stream_destroy(stream));
}

musaError_t musaStreamQuery(musaStream_t stream) { return recorded(musa::stream_query(stream)); }

musaError_t musaStreamSynchronize(musaStream_t stream) {
  return recorded(musa::stream_synchronize(stream));
}

musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags) {
  return recorded(musa::stream_wait_event(stream, event, flags));
}

musaError_t musaStreamGetPriority(musaStream_t hStream, int* priority) {
  return recorded(musa::stream_get_priority(hStream, priority));
}

musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int* flags) {
  return recorded(musa::stream_get_flags(hStream, flags));
}

musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long* streamId) {
  return recorded(musa::stream_get_id(hStream, streamId));
}

musaError_t musaStreamGetDevice(musaStream_t hStream, int* device) {
  return recorded(musa::stream_get_device(hStream, device));
}

musaError_t musaStreamGetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
                                   musaLaunchAttributeValue* value_out) {
  return recorded(musa::stream_get_attribute(hStream, attr, value_out));
}

musaError_t musaStreamSetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
                                   const musaLaunchAttributeValue* value) {
  return recorded(musa::stream_set_attribute(hStream, attr, value));
}

musaError_t musaStreamCopyAttributes(musaStream_t dst, musaStream_t src) {
  return recorded(musa::stream_copy_attributes(dst, src));
}

musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback,
                                  void* userData, unsigned int flags) {
  return recorded(musa::stream_add_callback(stream, callback, userData, flags));
}

musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void* userData) {
  return recorded(musa::launch_host_func(stream, fn, userData));
}

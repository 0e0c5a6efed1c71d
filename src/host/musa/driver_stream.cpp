// Streams and events.
#include <cstring>

#include "src/host/musa/driver_call.h"
#include "src/host/musa/stream_handles.h"

using musa::context_call;
using musa::Runtime;

IN_CONTEXT(2, muStreamCreate, stream_create_with_flags)
IN_CONTEXT(3, muStreamCreateWithPriority, stream_create_with_priority)
IN_CONTEXT(1, muStreamDestroy_v2, stream_destroy)
IN_CONTEXT(2, muStreamGetPriority, stream_get_priority)
IN_CONTEXT(2, muStreamGetFlags, stream_get_flags)

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

IN_CONTEXT(3, muStreamWaitEvent, stream_wait_event)
IN_CONTEXT(4, muStreamAddCallback, stream_add_callback)
IN_CONTEXT(4, muStreamAttachMemAsync, stream_attach_mem_async)
IN_CONTEXT(1, muStreamQuery, stream_query)
IN_CONTEXT(1, muStreamSynchronize, stream_synchronize)
IN_CONTEXT(3, muLaunchHostFunc, launch_host_func)
IN_CONTEXT(2, muEventCreate, event_create_with_flags)
IN_CONTEXT(2, muEventRecord, event_record)
IN_CONTEXT(3, muEventRecordWithFlags, event_record_with_flags)
IN_CONTEXT(1, muEventQuery, event_query)
IN_CONTEXT(1, muEventSynchronize, event_synchronize)
IN_CONTEXT(1, muEventDestroy_v2, event_destroy)
IN_CONTEXT(3, muEventElapsedTime, event_elapsed_time)

namespace musa {
namespace {

// The driver's enumeration has fewer attributes than the runtime's.
bool is_stream_attribute(MUstreamAttrID attribute) {
  return attribute == MU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
         attribute == MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY;
}

}  // namespace
}  // namespace musa

IN_CONTEXT(2, muStreamCopyAttributes, stream_copy_attributes)

// The driver's values are shorter than the runtime's.
MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr, MUstreamAttrValue* value_out) {
  return context_call([&](Runtime&) {
    if (value_out == nullptr || !musa::is_stream_attribute(attr)) return musaErrorInvalidValue;
    musaLaunchAttributeValue value;
    MUSA_RETURN_IF_ERROR(
        musa::stream_get_attribute(hStream, static_cast<musaLaunchAttributeID>(attr), &value));
    std::memcpy(value_out, &value, sizeof(*value_out));
    return musaSuccess;
  });
}

MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr,
                              const MUstreamAttrValue* value) {
  return context_call([&](Runtime&) {
    if (value == nullptr || !musa::is_stream_attribute(attr)) return musaErrorInvalidValue;
    musaLaunchAttributeValue longer{};
    std::memcpy(&longer, value, sizeof(*value));
    return musa::stream_set_attribute(hStream, static_cast<musaLaunchAttributeID>(attr), &longer);
  });
}

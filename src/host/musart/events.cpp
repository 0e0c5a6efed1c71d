#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaEventCreate(musaEvent_t* event) { return recorded(musa::event_create(event)); }

musaError_t musaEventCreateWithFlags(musaEvent_t* event, unsigned int flags) {
  return recorded(musa::event_create_with_flags(event, flags));
}

musaError_t musaEventDestroy(musaEvent_t event) { return recorded(musa::event_destroy(event)); }

musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream) {
  return recorded(musa::event_record(event, stream));
}

musaError_t musaEventRecordWithFlags(musaEvent_t event, musaStream_t stream, unsigned int flags) {
  return recorded(musa::event_record_with_flags(event, stream, flags));
}

musaError_t musaEventQuery(musaEvent_t event) { return recorded(musa::event_query(event)); }

musaError_t musaEventSynchronize(musaEvent_t event) {
  return recorded(musa::event_synchronize(event));
}

musaError_t musaEventElapsedTime(float* ms, musaEvent_t start, musaEvent_t end) {
  return recorded(musa::event_elapsed_time(ms, start, end));
}

musaError_t musaEventElapsedTime_v2(float* ms, musaEvent_t start, musaEvent_t end) {
  return recorded(musa::event_elapsed_time_v2(ms, start, end));
}

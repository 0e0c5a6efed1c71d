#include "stubs/cupti/layouts.h"

#include "facts.h"

// The newest form of each record in the newest release of the major.
#if TORCHADA_ABI == 11
#define TYPE_Kernel CUpti_ActivityKernel8
#define TYPE_Memcpy CUpti_ActivityMemcpy5
#define TYPE_Memset CUpti_ActivityMemset4
#define TYPE_Synchronization CUpti_ActivitySynchronization
#define TYPE_Overhead CUpti_ActivityOverhead
#define TYPE_Memory CUpti_ActivityMemory3
#define TYPE_Graph CUpti_ActivityGraphTrace
#define TYPE_Context CUpti_ActivityContext
#define TYPE_Device CUpti_ActivityDevice4
#elif TORCHADA_ABI == 12
#define TYPE_Kernel CUpti_ActivityKernel9
#define TYPE_Memcpy CUpti_ActivityMemcpy6
#define TYPE_Memset CUpti_ActivityMemset4
#define TYPE_Synchronization CUpti_ActivitySynchronization2
#define TYPE_Overhead CUpti_ActivityOverhead3
#define TYPE_Memory CUpti_ActivityMemory4
#define TYPE_Graph CUpti_ActivityGraphTrace2
#define TYPE_Context CUpti_ActivityContext3
#define TYPE_Device CUpti_ActivityDevice5
#else
#define TYPE_Kernel CUpti_ActivityKernel13
#define TYPE_Memcpy CUpti_ActivityMemcpy7
#define TYPE_Memset CUpti_ActivityMemset5
#define TYPE_Synchronization CUpti_ActivitySynchronization2
#define TYPE_Overhead CUpti_ActivityOverhead3
#define TYPE_Memory CUpti_ActivityMemory4
#define TYPE_Graph CUpti_ActivityGraphTrace2
#define TYPE_Context CUpti_ActivityContext4
#define TYPE_Device CUpti_ActivityDevice6
#endif
#define TYPE_Api CUpti_ActivityAPI
#define TYPE_Peer CUpti_ActivityMemcpyPtoP4
#define TYPE_External CUpti_ActivityExternalCorrelation

#define JOINED(first, second) first##second
#define SIZE_OF(type) cuda::JOINED(sizeof_, type)
#define OFFSET_OF(type, member) cuda::JOINED(type, _##member)

namespace torchada::cupti {

profiler::Layouts layouts() {
  return {
#define RECORD(name, member) {SIZE_OF(TYPE_##name),
#define MEMBER(name, member) OFFSET_OF(TYPE_##name, member),
#define END(name) \
  }               \
  ,
#include "src/shared/profiler_records.inc"
  };
}

}  // namespace torchada::cupti

// cudaEventElapsedTime_v2 on SDKs that have only the older form.
#include "stubs/cudart/answers.h"

#if TORCHADA_ABI == 12
extern "C" int torchada_adapter_cudaEventElapsedTime_v2(float* milliseconds, void* from, void* to) {
  return torchada::told(musaEventElapsedTime(milliseconds, from, to));
}
#endif

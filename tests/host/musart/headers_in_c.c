// The headers compile as C and contain what the evidence says.
#include <stddef.h>

#include "library_types.h"
#include "musa_runtime.h"

_Static_assert(sizeof(struct musaDeviceProp) == 1032, "properties");
_Static_assert(offsetof(struct musaDeviceProp, totalGlobalMem) == 288, "properties");
_Static_assert(offsetof(struct musaDeviceProp, warpSize) == 308, "properties");
_Static_assert(offsetof(struct musaDeviceProp, major) == 360, "properties");
_Static_assert(offsetof(struct musaDeviceProp, multiProcessorCount) == 388, "properties");
_Static_assert(offsetof(struct musaDeviceProp, reservedSharedMemPerBlock) == 720, "properties");
_Static_assert(offsetof(struct musaDeviceProp, hostRegisterSupported) == 728, "properties");
_Static_assert(offsetof(struct musaDeviceProp, unifiedFunctionPointers) == 776, "properties");
_Static_assert(sizeof(musaIpcMemHandle_t) == 64, "IPC handle");
_Static_assert(sizeof(musaIpcEventHandle_t) == 64, "IPC handle");
_Static_assert(sizeof(musaLaunchAttribute) == 72, "launch attribute");
_Static_assert(sizeof(musaMemPoolProps) == 88, "pool properties");
_Static_assert(sizeof(dim3) == 12, "dim3");
_Static_assert(sizeof(struct musaPointerAttributes) == 88, "pointer attributes");
_Static_assert(offsetof(struct musaPointerAttributes, devicePointer) == 8, "pointer attributes");
_Static_assert(musaErrorMtlinkUncorrectable == 220, "errors");
_Static_assert(musaErrorInvalidClusterSize == 912, "errors");
_Static_assert(musaMemcpyDefault == 4, "copy kinds");
_Static_assert(musaDevAttrMemoryPoolsSupported == 115, "attributes");
_Static_assert(MUSA_R_16BF == 14, "data types");
_Static_assert(MUSART_VERSION == 50200, "version");

musaError_t count_devices_in_c(int* count) { return musaGetDeviceCount(count); }

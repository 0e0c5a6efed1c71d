// The MUSA driver C API that the CPU implementation provides.
#ifndef TORCHADA_HOST_MUSA_H_
#define TORCHADA_HOST_MUSA_H_

#if defined(__GNUC__)
#define MUSAAPI __attribute__((visibility("default")))
#else
#define MUSAAPI
#endif

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum musaError_enum { MUSA_SUCCESS = 0, MUSA_ERROR_INVALID_VALUE = 1 } MUresult;

MUSAAPI MUresult muDriverGetVersion(int* driverVersion);

#if defined(__cplusplus)
}
#endif

#endif  // TORCHADA_HOST_MUSA_H_

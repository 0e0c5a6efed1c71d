/* muFFT (MUSA SDK 5.1): plans with 64-bit sizes and element types of the runtime, several devices,
 * callbacks. From public evidence only.
 *
 * Transcribed by hand from:
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MuFFTPlanCache.h
 *                        (the header's name; the arguments of XtMakePlanMany; XtExec)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mufft_dynload.h
 *                        (the header's name, exported names)
 *
 * Assumed, because no public source states it: the arguments of every other function and the names
 * and numbers of the types below, which are those of cuFFT. musaLibXtDesc is opaque, because its
 * layout is not known.
 *
 * The stand-in lacks what uses several devices, and callbacks. It returns MUFFT_NOT_SUPPORTED for
 * plans of half precision numbers.
 */
#pragma once

#include <library_types.h>
#include <mufft.h>

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct musaLibXtDesc_t musaLibXtDesc;

typedef enum mufftXtSubFormat_t {
  MUFFT_XT_FORMAT_INPUT = 0,
  MUFFT_XT_FORMAT_OUTPUT = 1,
  MUFFT_XT_FORMAT_INPLACE = 2,
  MUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  MUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4
} mufftXtSubFormat;

typedef enum mufftXtCopyType_t {
  MUFFT_COPY_HOST_TO_DEVICE = 0,
  MUFFT_COPY_DEVICE_TO_HOST = 1,
  MUFFT_COPY_DEVICE_TO_DEVICE = 2
} mufftXtCopyType;

typedef enum mufftXtQueryType_t { MUFFT_QUERY_1D_FACTORS = 0 } mufftXtQueryType;

typedef enum mufftXtCallbackType_t {
  MUFFT_CB_LD_COMPLEX = 0,
  MUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  MUFFT_CB_LD_REAL = 2,
  MUFFT_CB_LD_REAL_DOUBLE = 3,
  MUFFT_CB_ST_COMPLEX = 4,
  MUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  MUFFT_CB_ST_REAL = 6,
  MUFFT_CB_ST_REAL_DOUBLE = 7
} mufftXtCallbackType;

#define MUFFT_ARGS_XTMANY                                                                         \
  int rank, long long int *n, long long int *inembed, long long int istride, long long int idist, \
      musaDataType_t input_type, long long int *onembed, long long int ostride,                   \
      long long int odist, musaDataType_t output_type, long long int batch, size_t *work_size,    \
      musaDataType_t execution_type
mufftResult mufftXtMakePlanMany(mufftHandle plan, MUFFT_ARGS_XTMANY);
mufftResult mufftXtGetSizeMany(mufftHandle plan, MUFFT_ARGS_XTMANY);
/* direction matters only for plans from complex to complex. */
mufftResult mufftXtExec(mufftHandle plan, void* input, void* output, int direction);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

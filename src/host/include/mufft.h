/* muFFT (MUSA SDK 5.1), from public evidence only. mufftXt.h declares the functions of the same
 * library that plan with 64-bit sizes or use several devices.
 *
 * Transcribed by hand from:
 *   ZhaoShanBiounite/musapy: musa_x_ffi.rs and docs/sdk-3.1.0-musax-coverage.md
 *                        (numbers of mufftType and of the directions, and the arguments of Create,
 *                        Destroy, SetStream, GetVersion, Plan* and Exec*, read from SDK 3.1.0's
 *                        mufft.h; mufftHandle is a pointer)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mufft_dynload.h
 *                        (exported names, names of the results)
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/{MuFFTUtils.h,MuFFTPlanCache.h}
 *                        (names of the results, LICENSE_ERROR included; SetAutoAllocation)
 *   zml/xla: xla/stream_executor/musa/mufft_shim/mufft_shim.cc
 *                        (arguments of MakePlanMany, SetWorkArea, GetProperty; MUFFT_MAJOR_VERSION,
 *                        MUFFT_MINOR_VERSION, MUFFT_PATCH_LEVEL)
 *   fxzjshm/simple-radio-telescope-backend: the wrapper over mufft (arguments of MakePlan1d;
 *                        mufftMakePlanMany64 does not exist)
 *   siliconflow/FlagGems: src/flag_gems/utils/stft_fft.py
 *                        (SetStream is refused before the plan is made; libmufft.so.1)
 *
 * Assumed, because no public source states it:
 *   - every number of mufftResult except 0 (the names are those of cuFFT and hipFFT, which agree on
 *     the numbers), and which call returns which error (as cuFFT documents it);
 *   - the numbers of mufftLibraryPropertyType;
 *   - the arguments of functions known only by name (MakePlan2d, MakePlan3d, Estimate*, GetSize*):
 *     those of cuFFT, with which every function whose arguments are known agrees;
 *   - the tag behind mufftHandle.
 *
 * Sizes count elements. Distances and strides count elements of the type on that side. Transforms
 * are not normalised: forward and back multiplies by the number of elements.
 */
#pragma once

#include <muComplex.h>
#include <musa_runtime_api.h>
#include <stddef.h>

#define MUFFT_FORWARD (-1)
#define MUFFT_INVERSE 1

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mufftHandle_t* mufftHandle;

typedef float mufftReal;
typedef double mufftDoubleReal;
typedef muComplex mufftComplex;
typedef muDoubleComplex mufftDoubleComplex;

typedef enum mufftResult_t {
  MUFFT_SUCCESS = 0,
  MUFFT_INVALID_PLAN = 1,
  MUFFT_ALLOC_FAILED = 2,
  MUFFT_INVALID_TYPE = 3,
  MUFFT_INVALID_VALUE = 4,
  MUFFT_INTERNAL_ERROR = 5,
  MUFFT_EXEC_FAILED = 6,
  MUFFT_SETUP_FAILED = 7,
  MUFFT_INVALID_SIZE = 8,
  MUFFT_UNALIGNED_DATA = 9,
  MUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  MUFFT_INVALID_DEVICE = 11,
  MUFFT_PARSE_ERROR = 12,
  MUFFT_NO_WORKSPACE = 13,
  MUFFT_NOT_IMPLEMENTED = 14,
  MUFFT_LICENSE_ERROR = 15,
  MUFFT_NOT_SUPPORTED = 16
} mufftResult;

typedef enum mufftType_t {
  MUFFT_C2C = 0x29,
  MUFFT_R2C = 0x2a,
  MUFFT_C2R = 0x2c,
  MUFFT_Z2Z = 0x69,
  MUFFT_D2Z = 0x6a,
  MUFFT_Z2D = 0x6c
} mufftType;

typedef enum mufftLibraryPropertyType_t {
  MUFFT_MAJOR_VERSION = 0,
  MUFFT_MINOR_VERSION = 1,
  MUFFT_PATCH_LEVEL = 2
} mufftLibraryPropertyType;

/* What a plan is for. */
#define MUFFT_ARGS_1D int nx, mufftType type, int batch
#define MUFFT_ARGS_2D int nx, int ny, mufftType type
#define MUFFT_ARGS_3D int nx, int ny, int nz, mufftType type
#define MUFFT_ARGS_MANY                                                                         \
  int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, \
      mufftType type, int batch

/* These make a handle and its plan. The caller owns the handle and ends it with mufftDestroy. */
mufftResult mufftPlan1d(mufftHandle* plan, MUFFT_ARGS_1D);
mufftResult mufftPlan2d(mufftHandle* plan, MUFFT_ARGS_2D);
mufftResult mufftPlan3d(mufftHandle* plan, MUFFT_ARGS_3D);
mufftResult mufftPlanMany(mufftHandle* plan, MUFFT_ARGS_MANY);

mufftResult mufftCreate(mufftHandle* plan);
mufftResult mufftDestroy(mufftHandle plan);

/* These plan once for a handle of mufftCreate. work_size receives bytes. */
mufftResult mufftMakePlan1d(mufftHandle plan, MUFFT_ARGS_1D, size_t* work_size);
mufftResult mufftMakePlan2d(mufftHandle plan, MUFFT_ARGS_2D, size_t* work_size);
mufftResult mufftMakePlan3d(mufftHandle plan, MUFFT_ARGS_3D, size_t* work_size);
mufftResult mufftMakePlanMany(mufftHandle plan, MUFFT_ARGS_MANY, size_t* work_size);

/* The bytes of the work area that such a plan needs. Nothing is planned. */
mufftResult mufftEstimate1d(MUFFT_ARGS_1D, size_t* work_size);
mufftResult mufftEstimate2d(MUFFT_ARGS_2D, size_t* work_size);
mufftResult mufftEstimate3d(MUFFT_ARGS_3D, size_t* work_size);
mufftResult mufftEstimateMany(MUFFT_ARGS_MANY, size_t* work_size);
mufftResult mufftGetSize1d(mufftHandle plan, MUFFT_ARGS_1D, size_t* work_size);
mufftResult mufftGetSize2d(mufftHandle plan, MUFFT_ARGS_2D, size_t* work_size);
mufftResult mufftGetSize3d(mufftHandle plan, MUFFT_ARGS_3D, size_t* work_size);
mufftResult mufftGetSizeMany(mufftHandle plan, MUFFT_ARGS_MANY, size_t* work_size);
/* The bytes of the work area of a plan that is made. */
mufftResult mufftGetSize(mufftHandle plan, size_t* work_size);

/* The work area stays the caller's. With auto_allocate 0, set before planning, a plan has none
 * until the caller gives it one. */
mufftResult mufftSetWorkArea(mufftHandle plan, void* work_area);
mufftResult mufftSetAutoAllocation(mufftHandle plan, int auto_allocate);
mufftResult mufftSetStream(mufftHandle plan, musaStream_t stream);

/* These put the transform into the plan's stream. idata and odata may be the same. */
mufftResult mufftExecC2C(mufftHandle plan, mufftComplex* idata, mufftComplex* odata, int direction);
mufftResult mufftExecR2C(mufftHandle plan, mufftReal* idata, mufftComplex* odata);
mufftResult mufftExecC2R(mufftHandle plan, mufftComplex* idata, mufftReal* odata);
mufftResult mufftExecZ2Z(mufftHandle plan, mufftDoubleComplex* idata, mufftDoubleComplex* odata,
                         int direction);
mufftResult mufftExecD2Z(mufftHandle plan, mufftDoubleReal* idata, mufftDoubleComplex* odata);
mufftResult mufftExecZ2D(mufftHandle plan, mufftDoubleComplex* idata, mufftDoubleReal* odata);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

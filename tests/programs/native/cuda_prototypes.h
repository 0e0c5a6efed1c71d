// The parts of CUDA that these programs use. Declared here, so that the programs build without a
// toolkit and for majors whose headers are missing.
#ifndef TORCHADA_PROGRAMS_CUDA_PROTOTYPES_H_
#define TORCHADA_PROGRAMS_CUDA_PROTOTYPES_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kHostToDevice = 1, kDeviceToHost = 2, kDefault = 4 };

struct CUstream_st;
struct CUevent_st;
struct ncclComm;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct ncclComm* ncclComm_t;
typedef struct dim3 {
  unsigned x, y, z;
} dim3;
typedef struct ncclUniqueId {
  char internal[128];
} ncclUniqueId;

int cudaRuntimeGetVersion(int* version);
int cudaGetDeviceCount(int* count);
int cudaSetDevice(int device);
int cudaMalloc(void** memory, size_t size);
int cudaFree(void* memory);
int cudaHostAlloc(void** memory, size_t size, unsigned flags);
int cudaFreeHost(void* memory);
int cudaMemset(void* memory, int value, size_t size);
int cudaMemcpy(void* to, const void* from, size_t size, int kind);
int cudaMemcpyAsync(void* to, const void* from, size_t size, int kind, cudaStream_t stream);
int cudaStreamCreate(cudaStream_t* stream);
int cudaStreamSynchronize(cudaStream_t stream);
int cudaStreamDestroy(cudaStream_t stream);
int cudaEventCreate(cudaEvent_t* event);
int cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
int cudaEventSynchronize(cudaEvent_t event);
int cudaEventDestroy(cudaEvent_t event);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
const char* cudaGetErrorString(int error);
int cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                     cudaStream_t stream);

int ncclGetVersion(int* version);
int ncclGetUniqueId(ncclUniqueId* id);
int ncclCommInitRank(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank);
int ncclAllReduce(const void* from, void* to, size_t count, int type, int operation,
                  ncclComm_t communicator, cudaStream_t stream);
int ncclCommDestroy(ncclComm_t communicator);

const char* cublasGetStatusString(int status);
const char* cublasLtGetStatusString(int status);
int curandGetVersion(int* version);

#ifdef __cplusplus
}
#endif

#endif  // TORCHADA_PROGRAMS_CUDA_PROTOTYPES_H_

// The parts of CUDA and NCCL that these programs use, declared as in NVIDIA's headers.
#pragma once

#include <cstddef>

extern "C" {

using cudaStream_t = struct CUstream_st*;
using ncclComm_t = struct ncclComm*;

struct ncclUniqueId {
  char internal[128];
};

int cudaSetDevice(int device);
int cudaMalloc(void** pointer, std::size_t size);
int cudaFree(void* pointer);
int cudaMemcpy(void* to, const void* from, std::size_t size, int kind);
int cudaMemset(void* to, int value, std::size_t size);
int cudaStreamCreate(cudaStream_t* stream);
int cudaStreamDestroy(cudaStream_t stream);
int cudaStreamSynchronize(cudaStream_t stream);
int cudaStreamQuery(cudaStream_t stream);

int ncclGetUniqueId(ncclUniqueId* id);
int ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank);
int ncclCommInitAll(ncclComm_t* comms, int devices, const int* list);
int ncclCommDestroy(ncclComm_t comm);
int ncclCommAbort(ncclComm_t comm);
int ncclCommFinalize(ncclComm_t comm);
int ncclCommShrink(ncclComm_t comm, int* leaving, int count, ncclComm_t* child, void* config,
                   int flags);
int ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* child, void* config);
int ncclCommRegister(ncclComm_t comm, void* memory, std::size_t size, void** handle);
int ncclCommDeregister(ncclComm_t comm, void* handle);
int ncclCommWindowRegister(ncclComm_t comm, void* memory, std::size_t size, void** window,
                           int flags);
int ncclCommWindowDeregister(ncclComm_t comm, void* window);
int ncclCommGetAsyncError(ncclComm_t comm, int* error);
const char* ncclGetErrorString(int result);
int ncclGroupStart();
int ncclGroupEnd();
int ncclRedOpCreatePreMulSum(int* op, void* scalar, int type, int residence, ncclComm_t comm);
int ncclRedOpDestroy(int op, ncclComm_t comm);
int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int op, ncclComm_t comm,
                  cudaStream_t stream);
int ncclReduce(const void* from, void* to, std::size_t count, int type, int op, int root,
               ncclComm_t comm, cudaStream_t stream);
int ncclReduceScatter(const void* from, void* to, std::size_t count, int type, int op,
                      ncclComm_t comm, cudaStream_t stream);
int ncclAllGather(const void* from, void* to, std::size_t count, int type, ncclComm_t comm,
                  cudaStream_t stream);
int ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root,
                  ncclComm_t comm, cudaStream_t stream);
int ncclBcast(void* buffer, std::size_t count, int type, int root, ncclComm_t comm,
              cudaStream_t stream);
int ncclAlltoAll(const void* from, void* to, std::size_t count, int type, ncclComm_t comm,
                 cudaStream_t stream);
int ncclSend(const void* from, std::size_t count, int type, int peer, ncclComm_t comm,
             cudaStream_t stream);
int ncclRecv(void* to, std::size_t count, int type, int peer, ncclComm_t comm, cudaStream_t stream);

}  // extern "C"

constexpr int kHostToDevice = 1;
constexpr int kDeviceToHost = 2;
constexpr int kNotReady = 600;

enum NcclResult { kSuccess, kUnhandled, kSystem, kInternal, kArgument, kUsage, kRemote };
enum NcclType {
  kInt8,
  kUint8,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat16,
  kFloat32,
  kFloat64,
  kBfloat16,
  kFloat8E4M3,
  kFloat8E5M2,
  kTypes
};
enum NcclOperation { kSum, kProd, kMax, kMin, kAvg, kPremul };

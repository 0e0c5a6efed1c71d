/* MCCL 2.28.9 (MUSA SDK 5.1), from public evidence only.
 *
 * Transcribed by hand from:
 *   liruyun-mt/vllm_musa-0.6.6: vllm/distributed/device_communicators/pymccl.py
 *                                (signatures, data type and operator numbers)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mccl_dynload.h
 *                                (exported names, RedOpCreatePreMulSum's arguments)
 *   MooreThreads/torch_musa: torch_musa/csrc/distributed/
 *   {MCCLUtils.h,MCCLUtils.cpp,Register.cpp,ProcessGroupMCCL.cpp}
 *                                (version macros, config fields, policies, AllToAllv)
 *   flagos-ai/FlagCX: flagcx/adaptor/ccl/musa_mccl_adaptor.cc
 *                                (result numbers, 128 byte id, CommMuDevice)
 *
 * Assumed, because no public source states it:
 *   - the name of result 1 (mcclUnhandledMusaError) and the texts of mcclGetErrorString;
 *   - numbers of the 8 bit floats (10, 11), of mcclScalarResidence_t and of the CTA policies;
 *   - mcclConfig_t: the fields blocking, cgaClusterSize, minCTAs, maxCTAs and CTAPolicy are known.
 *     Their offsets, the other fields, the header and the initializer follow the 2.28 generation.
 *
 * One deliberate difference: the SDK's header declares the bfloat16 members only for MARCH_TYPE >=
 * 220 and the 8 bit floats only for MARCH_TYPE >= 310. The CPU computes all of them, so this header
 * always declares them.
 */
#pragma once

#include <limits.h>
#include <musa_runtime_api.h>
#include <stddef.h>

#include "internal/sdk.h"

#define MCCL_SUFFIX ""

#define MCCL_VERSION(X, Y, Z) \
  (((X) <= 2 && (Y) <= 8) ? (X)*1000 + (Y)*100 + (Z) : (X)*10000 + (Y)*100 + (Z))
#define MCCL_VERSION_CODE MCCL_VERSION(MCCL_MAJOR, MCCL_MINOR, MCCL_PATCH)

#define MCCL_UNIQUE_ID_BYTES 128

#define MCCL_CONFIG_UNDEF_INT INT_MIN
#define MCCL_CONFIG_UNDEF_PTR NULL
#define MCCL_CONFIG_MAGIC 0xcafebeef

#define MCCL_CTA_POLICY_DEFAULT 0x00
#define MCCL_CTA_POLICY_EFFICIENCY 0x01
#define MCCL_CTA_POLICY_ZERO 0x02

/* Assumed: as in the 2.28 generation. */
#define MCCL_WIN_DEFAULT 0x00
#define MCCL_WIN_COLL_SYMMETRIC 0x01

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mcclComm* mcclComm_t;
typedef struct mcclWindow_vidmem* mcclWindow_t;

typedef struct {
  char internal[MCCL_UNIQUE_ID_BYTES];
} mcclUniqueId;

typedef enum {
  mcclSuccess = 0,
  mcclUnhandledMusaError = 1,
  mcclSystemError = 2,
  mcclInternalError = 3,
  mcclInvalidArgument = 4,
  mcclInvalidUsage = 5,
  mcclRemoteError = 6,
  mcclInProgress = 7,
  mcclNumResults = 8
} mcclResult_t;

typedef enum {
  mcclInt8 = 0,
  mcclChar = 0,
  mcclUint8 = 1,
  mcclInt32 = 2,
  mcclInt = 2,
  mcclUint32 = 3,
  mcclInt64 = 4,
  mcclUint64 = 5,
  mcclFloat16 = 6,
  mcclHalf = 6,
  mcclFloat32 = 7,
  mcclFloat = 7,
  mcclFloat64 = 8,
  mcclDouble = 8,
  mcclBfloat16 = 9,
  mcclFp8E4M3 = 10,
  mcclFp8E5M2 = 11,
  mcclNumTypes = 12
} mcclDataType_t;

typedef enum {
  mcclSum = 0,
  mcclProd = 1,
  mcclMax = 2,
  mcclMin = 3,
  mcclAvg = 4,
  mcclNumOps = 5, /* the first number of operators made by mcclRedOpCreate*() */
  mcclMaxRedOp = 0x7fffffff
} mcclRedOp_t;

typedef enum {
  mcclScalarDevice = 0,       /* read when the collective runs */
  mcclScalarHostImmediate = 1 /* read before the creating call returns */
} mcclScalarResidence_t;

typedef struct {
  size_t size;
  unsigned int magic;
  unsigned int version;
  int blocking;
  int cgaClusterSize;
  int minCTAs;
  int maxCTAs;
  const char* netName;
  int splitShare;
  int trafficClass;
  const char* commName;
  int collnetEnable;
  int CTAPolicy;
  int shrinkShare;
  int nvlsCTAs;
  int nChannelsPerNetPeer;
  int nvlinkCentricSched;
} mcclConfig_t;

#define MCCL_CONFIG_INITIALIZER                                                                    \
  {                                                                                                \
    sizeof(mcclConfig_t), MCCL_CONFIG_MAGIC, MCCL_VERSION_CODE, MCCL_CONFIG_UNDEF_INT,             \
        MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT,                       \
        MCCL_CONFIG_UNDEF_PTR, MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT,                       \
        MCCL_CONFIG_UNDEF_PTR, MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT,                       \
        MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT, MCCL_CONFIG_UNDEF_INT \
  }

mcclResult_t mcclGetVersion(int* version);
mcclResult_t mcclGetUniqueId(mcclUniqueId* uniqueId);
const char* mcclGetErrorString(mcclResult_t result);
const char* mcclGetLastError(mcclComm_t comm);

mcclResult_t mcclCommInitRank(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank);
mcclResult_t mcclCommInitRankConfig(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank,
                                    mcclConfig_t* config);
mcclResult_t mcclCommInitAll(mcclComm_t* comm, int ndev, const int* devlist);
mcclResult_t mcclCommDestroy(mcclComm_t comm);
mcclResult_t mcclCommAbort(mcclComm_t comm);
mcclResult_t mcclCommGetAsyncError(mcclComm_t comm, mcclResult_t* asyncError);
mcclResult_t mcclCommCount(const mcclComm_t comm, int* count);
mcclResult_t mcclCommMuDevice(const mcclComm_t comm, int* device);
mcclResult_t mcclCommUserRank(const mcclComm_t comm, int* rank);

mcclResult_t mcclMemAlloc(void** ptr, size_t size);
mcclResult_t mcclMemFree(void* ptr);
mcclResult_t mcclCommRegister(const mcclComm_t comm, void* buff, size_t size, void** handle);
mcclResult_t mcclCommDeregister(const mcclComm_t comm, void* handle);
mcclResult_t mcclCommWindowRegister(mcclComm_t comm, void* buff, size_t size, mcclWindow_t* win,
                                    int winFlags);
mcclResult_t mcclCommWindowDeregister(mcclComm_t comm, mcclWindow_t win);

mcclResult_t mcclRedOpCreatePreMulSum(mcclRedOp_t* op, void* scalar, mcclDataType_t datatype,
                                      mcclScalarResidence_t residence, mcclComm_t comm);
mcclResult_t mcclRedOpDestroy(mcclRedOp_t op, mcclComm_t comm);

mcclResult_t mcclReduce(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                        mcclRedOp_t op, int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclBcast(void* buff, size_t count, mcclDataType_t datatype, int root, mcclComm_t comm,
                       musaStream_t stream);
mcclResult_t mcclBroadcast(const void* sendbuff, void* recvbuff, size_t count,
                           mcclDataType_t datatype, int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclAllReduce(const void* sendbuff, void* recvbuff, size_t count,
                           mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm,
                           musaStream_t stream);
mcclResult_t mcclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount,
                               mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm,
                               musaStream_t stream);
mcclResult_t mcclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount,
                           mcclDataType_t datatype, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclAlltoAll(const void* sendbuff, void* recvbuff, size_t count,
                          mcclDataType_t datatype, mcclComm_t comm, musaStream_t stream);
/* sdispls is a matrix: one row of nranks numbers for each rank, rank 0 first. The other arrays have
 * nranks numbers. */
mcclResult_t mcclAllToAllv(const void* sendbuff, const size_t* sendcounts, const size_t* sdispls,
                           void* recvbuff, const size_t* recvcounts, const size_t* rdispls,
                           mcclDataType_t datatype, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclSend(const void* sendbuff, size_t count, mcclDataType_t datatype, int peer,
                      mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclRecv(void* recvbuff, size_t count, mcclDataType_t datatype, int peer,
                      mcclComm_t comm, musaStream_t stream);

mcclResult_t mcclGroupStart(void);
mcclResult_t mcclGroupEnd(void);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

// The MUSA driver C API that the CPU implementation provides.
//
// Source, tier decl: b1tg/tinygrad at 134e84a, tinygrad/runtime/autogen/musa.py, made from musa.h
// of SDK 3.1.0. The names without _v2 and muStreamGetId are of newer SDKs
// (facts/symbols_libmusa.csv, tier code: linux-rdma/perftest, tile-ai/tilelang-musa).
#ifndef TORCHADA_HOST_MUSA_H_
#define TORCHADA_HOST_MUSA_H_

#include "musa_types/driver_device.h"
#include "musa_types/driver_structs.h"

#if defined(__GNUC__)
#define MUSAAPI __attribute__((visibility("default")))
#else
#define MUSAAPI
#endif

#if defined(__cplusplus)
extern "C" {
#endif

// Initialisation, errors, entry points.
MUSAAPI MUresult muInit(unsigned int Flags);
MUSAAPI MUresult muDriverGetVersion(int* driverVersion);
MUSAAPI MUresult muGetErrorName(MUresult error, const char** pStr);
MUSAAPI MUresult muGetErrorString(MUresult error, const char** pStr);
MUSAAPI MUresult muGetProcAddress(const char* symbol, void** pfn, int musaVersion,
                                  muuint64_t flags);

// Devices.
MUSAAPI MUresult muDeviceGet(MUdevice* device, int ordinal);
MUSAAPI MUresult muDeviceGetCount(int* count);
MUSAAPI MUresult muDeviceGetName(char* name, int len, MUdevice dev);
MUSAAPI MUresult muDeviceGetUuid_v2(MUuuid* uuid, MUdevice dev);
MUSAAPI MUresult muDeviceTotalMem_v2(size_t* bytes, MUdevice dev);
MUSAAPI MUresult muDeviceGetAttribute(int* pi, MUdevice_attribute attrib, MUdevice dev);
MUSAAPI MUresult muDeviceGetProperties(MUdevprop* prop, MUdevice dev);
MUSAAPI MUresult muDeviceComputeCapability(int* major, int* minor, MUdevice dev);
MUSAAPI MUresult muDeviceGetByPCIBusId(MUdevice* dev, const char* pciBusId);
MUSAAPI MUresult muDeviceGetPCIBusId(char* pciBusId, int len, MUdevice dev);
MUSAAPI MUresult muDeviceCanAccessPeer(int* canAccessPeer, MUdevice dev, MUdevice peerDev);
MUSAAPI MUresult muDeviceGetP2PAttribute(int* value, MUdevice_P2PAttribute attrib,
                                         MUdevice srcDevice, MUdevice dstDevice);

// Contexts.
MUSAAPI MUresult muDevicePrimaryCtxRetain(MUcontext* pctx, MUdevice dev);
MUSAAPI MUresult muDevicePrimaryCtxRelease_v2(MUdevice dev);
MUSAAPI MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags);
MUSAAPI MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int* flags, int* active);
MUSAAPI MUresult muDevicePrimaryCtxReset_v2(MUdevice dev);
MUSAAPI MUresult muCtxCreate(MUcontext* pctx, unsigned int flags, MUdevice dev);
MUSAAPI MUresult muCtxCreate_v2(MUcontext* pctx, unsigned int flags, MUdevice dev);
MUSAAPI MUresult muCtxDestroy(MUcontext ctx);
MUSAAPI MUresult muCtxDestroy_v2(MUcontext ctx);
MUSAAPI MUresult muCtxPushCurrent_v2(MUcontext ctx);
MUSAAPI MUresult muCtxPopCurrent_v2(MUcontext* pctx);
MUSAAPI MUresult muCtxSetCurrent(MUcontext ctx);
MUSAAPI MUresult muCtxGetCurrent(MUcontext* pctx);
MUSAAPI MUresult muCtxGetDevice(MUdevice* device);
MUSAAPI MUresult muCtxGetFlags(unsigned int* flags);
MUSAAPI MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int* version);
MUSAAPI MUresult muCtxSynchronize(void);
MUSAAPI MUresult muCtxSetLimit(MUlimit limit, size_t value);
MUSAAPI MUresult muCtxGetLimit(size_t* pvalue, MUlimit limit);
MUSAAPI MUresult muCtxGetCacheConfig(MUfunc_cache* pconfig);
MUSAAPI MUresult muCtxSetCacheConfig(MUfunc_cache config);
MUSAAPI MUresult muCtxGetSharedMemConfig(MUsharedconfig* pConfig);
MUSAAPI MUresult muCtxSetSharedMemConfig(MUsharedconfig config);
MUSAAPI MUresult muCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
MUSAAPI MUresult muCtxResetPersistingL2Cache(void);
MUSAAPI MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags);
MUSAAPI MUresult muCtxDisablePeerAccess(MUcontext peerContext);

// Modules.
MUSAAPI MUresult muModuleLoad(MUmodule* module, const char* fname);
MUSAAPI MUresult muModuleLoadData(MUmodule* module, const void* image);
MUSAAPI MUresult muModuleLoadDataEx(MUmodule* module, const void* image, unsigned int numOptions,
                                    MUjit_option* options, void** optionValues);
MUSAAPI MUresult muModuleLoadFatBinary(MUmodule* module, const void* fatMubin);
MUSAAPI MUresult muModuleUnload(MUmodule hmod);
MUSAAPI MUresult muModuleGetFunction(MUfunction* hfunc, MUmodule hmod, const char* name);
MUSAAPI MUresult muModuleGetGlobal(MUdeviceptr* dptr, size_t* bytes, MUmodule hmod,
                                   const char* name);
MUSAAPI MUresult muModuleGetGlobal_v2(MUdeviceptr* dptr, size_t* bytes, MUmodule hmod,
                                      const char* name);
MUSAAPI MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                unsigned int gridDimZ, unsigned int blockDimX,
                                unsigned int blockDimY, unsigned int blockDimZ,
                                unsigned int sharedMemBytes, MUstream hStream, void** kernelParams,
                                void** extra);

// Memory.
MUSAAPI MUresult muMemGetInfo_v2(size_t* free, size_t* total);
MUSAAPI MUresult muMemAlloc(MUdeviceptr* dptr, size_t bytesize);
MUSAAPI MUresult muMemAlloc_v2(MUdeviceptr* dptr, size_t bytesize);
MUSAAPI MUresult muMemAllocPitch_v2(MUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes,
                                    size_t Height, unsigned int ElementSizeBytes);
MUSAAPI MUresult muMemFree(MUdeviceptr dptr);
MUSAAPI MUresult muMemFree_v2(MUdeviceptr dptr);
MUSAAPI MUresult muMemGetAddressRange_v2(MUdeviceptr* pbase, size_t* psize, MUdeviceptr dptr);
MUSAAPI MUresult muMemAllocHost(void** pp, size_t bytesize);
MUSAAPI MUresult muMemAllocHost_v2(void** pp, size_t bytesize);
MUSAAPI MUresult muMemFreeHost(void* p);
MUSAAPI MUresult muMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags);
MUSAAPI MUresult muMemHostGetDevicePointer_v2(MUdeviceptr* pdptr, void* p, unsigned int Flags);
MUSAAPI MUresult muMemHostGetFlags(unsigned int* pFlags, void* p);
MUSAAPI MUresult muMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags);
MUSAAPI MUresult muMemHostUnregister(void* p);
MUSAAPI MUresult muMemAllocManaged(MUdeviceptr* dptr, size_t bytesize, unsigned int flags);
MUSAAPI MUresult muPointerGetAttribute(void* data, MUpointer_attribute attribute, MUdeviceptr ptr);
MUSAAPI MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute* attributes,
                                        void** data, MUdeviceptr ptr);
MUSAAPI MUresult muIpcGetMemHandle(MUipcMemHandle* pHandle, MUdeviceptr dptr);
MUSAAPI MUresult muIpcOpenMemHandle_v2(MUdeviceptr* pdptr, MUipcMemHandle handle,
                                       unsigned int Flags);
MUSAAPI MUresult muIpcCloseMemHandle(MUdeviceptr dptr);
MUSAAPI MUresult muIpcGetEventHandle(MUipcEventHandle* pHandle, MUevent event);
MUSAAPI MUresult muIpcOpenEventHandle(MUevent* phEvent, MUipcEventHandle handle);

// Copies and fills.
MUSAAPI MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount);
MUSAAPI MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount,
                               MUstream hStream);
MUSAAPI MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                              MUcontext srcContext, size_t ByteCount);
MUSAAPI MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext,
                                   MUdeviceptr srcDevice, MUcontext srcContext, size_t ByteCount,
                                   MUstream hStream);
MUSAAPI MUresult muMemcpyHtoD_v2(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);
MUSAAPI MUresult muMemcpyDtoH_v2(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount);
MUSAAPI MUresult muMemcpyDtoD(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount);
MUSAAPI MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount);
MUSAAPI MUresult muMemcpyHtoDAsync_v2(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                                      MUstream hStream);
MUSAAPI MUresult muMemcpyDtoHAsync_v2(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount,
                                      MUstream hStream);
MUSAAPI MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice,
                                      size_t ByteCount, MUstream hStream);
MUSAAPI MUresult muMemsetD8_v2(MUdeviceptr dstDevice, unsigned char uc, size_t N);
MUSAAPI MUresult muMemsetD16_v2(MUdeviceptr dstDevice, unsigned short us, size_t N);
MUSAAPI MUresult muMemsetD32(MUdeviceptr dstDevice, unsigned int ui, size_t N);
MUSAAPI MUresult muMemsetD32_v2(MUdeviceptr dstDevice, unsigned int ui, size_t N);
MUSAAPI MUresult muMemsetD2D8_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                 size_t Width, size_t Height);
MUSAAPI MUresult muMemsetD2D16_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                  size_t Width, size_t Height);
MUSAAPI MUresult muMemsetD2D32_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                  size_t Width, size_t Height);
MUSAAPI MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N,
                                 MUstream hStream);
MUSAAPI MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N,
                                  MUstream hStream);
MUSAAPI MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N,
                                  MUstream hStream);
MUSAAPI MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                   size_t Width, size_t Height, MUstream hStream);
MUSAAPI MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                    size_t Width, size_t Height, MUstream hStream);
MUSAAPI MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                    size_t Width, size_t Height, MUstream hStream);

// Virtual memory management.
MUSAAPI MUresult muMemAddressReserve(MUdeviceptr* ptr, size_t size, size_t alignment,
                                     MUdeviceptr addr, unsigned long long flags);
MUSAAPI MUresult muMemAddressFree(MUdeviceptr ptr, size_t size);
MUSAAPI MUresult muMemCreate(MUmemGenericAllocationHandle* handle, size_t size,
                             const MUmemAllocationProp* prop, unsigned long long flags);
MUSAAPI MUresult muMemRelease(MUmemGenericAllocationHandle handle);
MUSAAPI MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset,
                          MUmemGenericAllocationHandle handle, unsigned long long flags);
MUSAAPI MUresult muMemUnmap(MUdeviceptr ptr, size_t size);
MUSAAPI MUresult muMemSetAccess(MUdeviceptr ptr, size_t size, const MUmemAccessDesc* desc,
                                size_t count);
MUSAAPI MUresult muMemGetAccess(unsigned long long* flags, const MUmemLocation* location,
                                MUdeviceptr ptr);
MUSAAPI MUresult muMemExportToShareableHandle(void* shareableHandle,
                                              MUmemGenericAllocationHandle handle,
                                              MUmemAllocationHandleType handleType,
                                              unsigned long long flags);
MUSAAPI MUresult muMemImportFromShareableHandle(MUmemGenericAllocationHandle* handle,
                                                void* osHandle,
                                                MUmemAllocationHandleType shHandleType);
MUSAAPI MUresult muMemGetAllocationGranularity(size_t* granularity, const MUmemAllocationProp* prop,
                                               MUmemAllocationGranularity_flags option);
MUSAAPI MUresult muMemGetAllocationPropertiesFromHandle(MUmemAllocationProp* prop,
                                                        MUmemGenericAllocationHandle handle);
MUSAAPI MUresult muMemRetainAllocationHandle(MUmemGenericAllocationHandle* handle, void* addr);

// Streams and events.
MUSAAPI MUresult muStreamCreate(MUstream* phStream, unsigned int Flags);
MUSAAPI MUresult muStreamCreateWithPriority(MUstream* phStream, unsigned int flags, int priority);
MUSAAPI MUresult muStreamDestroy_v2(MUstream hStream);
MUSAAPI MUresult muStreamGetPriority(MUstream hStream, int* priority);
MUSAAPI MUresult muStreamGetFlags(MUstream hStream, unsigned int* flags);
MUSAAPI MUresult muStreamGetId(MUstream hStream, unsigned long long* streamId);
MUSAAPI MUresult muStreamGetCtx(MUstream hStream, MUcontext* pctx);
MUSAAPI MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags);
MUSAAPI MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void* userData,
                                     unsigned int flags);
MUSAAPI MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length,
                                        unsigned int flags);
MUSAAPI MUresult muStreamQuery(MUstream hStream);
MUSAAPI MUresult muStreamSynchronize(MUstream hStream);
MUSAAPI MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void* userData);
MUSAAPI MUresult muEventCreate(MUevent* phEvent, unsigned int Flags);
MUSAAPI MUresult muEventRecord(MUevent hEvent, MUstream hStream);
MUSAAPI MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags);
MUSAAPI MUresult muEventQuery(MUevent hEvent);
MUSAAPI MUresult muEventSynchronize(MUevent hEvent);
MUSAAPI MUresult muEventDestroy_v2(MUevent hEvent);
MUSAAPI MUresult muEventElapsedTime(float* pMilliseconds, MUevent hStart, MUevent hEnd);

#if defined(__cplusplus)
}
#endif

#endif  // TORCHADA_HOST_MUSA_H_

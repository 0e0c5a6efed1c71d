// Memory of one address whose contents can be given back and taken again, as programs build it from
// the driver's functions. Each function returns the first status that is not 0.
#ifndef TORCHADA_PROGRAMS_VIRTUAL_MEMORY_H_
#define TORCHADA_PROGRAMS_VIRTUAL_MEMORY_H_

#include <stddef.h>
#include <string.h>

typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef struct {
  int type, id;
} CUmemLocation;
typedef struct {
  int type;
  int requestedHandleTypes;
  CUmemLocation location;
  void* win32HandleMetaData;
  unsigned char allocFlags[8];
} CUmemAllocationProp;
typedef struct {
  CUmemLocation location;
  int flags;
} CUmemAccessDesc;

enum { kPinned = 1, kOnDevice = 1, kReadWrite = 3, kNoHandle = 0, kDescriptor = 1 };

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxSetCurrent(void* context);
int cuMemGetInfo_v2(size_t* available, size_t* total);
int cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                  int option);
int cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr wanted,
                        unsigned long long flags);
int cuMemAddressFree(CUdeviceptr address, size_t size);
int cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                const CUmemAllocationProp* properties, unsigned long long flags);
int cuMemRelease(CUmemGenericAllocationHandle handle);
int cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
             unsigned long long flags);
int cuMemUnmap(CUdeviceptr address, size_t size);
int cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* access, size_t count);
int cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle, int type,
                                 unsigned long long flags);
int cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable, int type);

typedef struct {
  CUdeviceptr address;
  size_t size;  // A multiple of the granularity.
  CUmemGenericAllocationHandle handle;
} Piece;

static inline CUmemAllocationProp properties_for(int handle_type) {
  CUmemAllocationProp out;
  memset(&out, 0, sizeof out);
  out.type = kPinned;
  out.requestedHandleTypes = handle_type;
  out.location.type = kOnDevice;
  return out;
}

#define RETURN_IF_FAILED(call)        \
  do {                                \
    const int status_ = (call);       \
    if (status_ != 0) return status_; \
  } while (0)

static inline int start(void) {
  void* context = NULL;
  RETURN_IF_FAILED(cuInit(0));
  RETURN_IF_FAILED(cuDevicePrimaryCtxRetain(&context, 0));
  return cuCtxSetCurrent(context);
}

static inline int reserve(Piece* piece, size_t size) {
  const CUmemAllocationProp properties = properties_for(kNoHandle);
  size_t granule = 0;
  RETURN_IF_FAILED(cuMemGetAllocationGranularity(&granule, &properties, 0));
  piece->size = (size + granule - 1) / granule * granule;
  return cuMemAddressReserve(&piece->address, piece->size, 0, 0, 0);
}

static inline int map(const Piece* piece) {
  const CUmemAccessDesc access = {{kOnDevice, 0}, kReadWrite};
  RETURN_IF_FAILED(cuMemMap(piece->address, piece->size, 0, piece->handle, 0));
  return cuMemSetAccess(piece->address, piece->size, &access, 1);
}

static inline int take(Piece* piece, int handle_type) {
  const CUmemAllocationProp properties = properties_for(handle_type);
  RETURN_IF_FAILED(cuMemCreate(&piece->handle, piece->size, &properties, 0));
  return map(piece);
}

static inline int give_back(const Piece* piece) {
  RETURN_IF_FAILED(cuMemUnmap(piece->address, piece->size));
  return cuMemRelease(piece->handle);
}

#endif  // TORCHADA_PROGRAMS_VIRTUAL_MEMORY_H_

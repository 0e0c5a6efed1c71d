#include "src/host/musa/driver_box.h"

#include "src/host/musa/array.h"
#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

// One side of the driver's struct. Offsets are in bytes, rows and slices.
struct Side {
  MUmemorytype type;
  void* host;
  MUdeviceptr device;
  MUarray array;
  musaPos position;
  std::size_t pitch;
  std::size_t height;
};

musaMemcpyKind kind_of(MUmemorytype to, MUmemorytype from) {
  if (to == MU_MEMORYTYPE_UNIFIED || from == MU_MEMORYTYPE_UNIFIED) return musaMemcpyDefault;
  const bool to_host = to == MU_MEMORYTYPE_HOST;
  if (from == MU_MEMORYTYPE_HOST) return to_host ? musaMemcpyHostToHost : musaMemcpyHostToDevice;
  return to_host ? musaMemcpyDeviceToHost : musaMemcpyDeviceToDevice;
}

musaError_t read_side(const Side& side, const MUSA_MEMCPY3D& box, std::shared_ptr<Array>* array,
                      musaArray_t* handle, musaPos* position, musaPitchedPtr* memory) {
  *position = side.position;
  if (side.type == MU_MEMORYTYPE_ARRAY) {
    *array = resolve_array(side.array);
    if (*array == nullptr || side.position.x % (*array)->element_size != 0) {
      return musaErrorInvalidValue;
    }
    position->x /= (*array)->element_size;
    *handle = reinterpret_cast<musaArray_t>(side.array);
    return musaSuccess;
  }
  if (side.type < MU_MEMORYTYPE_HOST || side.type > MU_MEMORYTYPE_UNIFIED) {
    return musaErrorInvalidValue;
  }
  memory->ptr = side.type == MU_MEMORYTYPE_HOST ? side.host : pointer(side.device);
  memory->pitch = side.pitch != 0 ? side.pitch : side.position.x + box.WidthInBytes;
  memory->xsize = memory->pitch;
  memory->ysize = side.height != 0 ? side.height : side.position.y + box.Height;
  return musaSuccess;
}

Side write_side(musaArray_t array, const musaPos& position, const musaPitchedPtr& memory,
                MUmemorytype type) {
  Side side{};
  side.position = position;
  side.pitch = memory.pitch;
  side.height = memory.ysize;
  side.type = type;
  if (const auto found = resolve_array(array)) {
    side.type = MU_MEMORYTYPE_ARRAY;
    side.array = reinterpret_cast<MUarray>(array);
    side.position.x *= found->element_size;
  } else if (type == MU_MEMORYTYPE_HOST) {
    side.host = memory.ptr;
  } else {
    side.device = reinterpret_cast<MUdeviceptr>(memory.ptr);
  }
  return side;
}

}  // namespace

musaError_t runtime_box(const MUSA_MEMCPY3D* box, musaMemcpy3DParms* params) {
  if (box == nullptr || box->srcLOD != 0 || box->dstLOD != 0) return musaErrorInvalidValue;
  std::shared_ptr<Array> to;
  std::shared_ptr<Array> from;
  *params = {};
  MUSA_RETURN_IF_ERROR(read_side({box->dstMemoryType,
                                  box->dstHost,
                                  box->dstDevice,
                                  box->dstArray,
                                  {box->dstXInBytes, box->dstY, box->dstZ},
                                  box->dstPitch,
                                  box->dstHeight},
                                 *box, &to, &params->dstArray, &params->dstPos, &params->dstPtr));
  MUSA_RETURN_IF_ERROR(read_side({box->srcMemoryType,
                                  const_cast<void*>(box->srcHost),
                                  box->srcDevice,
                                  box->srcArray,
                                  {box->srcXInBytes, box->srcY, box->srcZ},
                                  box->srcPitch,
                                  box->srcHeight},
                                 *box, &from, &params->srcArray, &params->srcPos, &params->srcPtr));
  std::size_t element = 1;
  MUSA_RETURN_IF_ERROR(element_of_copy(to.get(), from.get(), &element));
  if (box->WidthInBytes % element != 0) return musaErrorInvalidValue;
  params->extent = {box->WidthInBytes / element, box->Height, box->Depth};
  params->kind = kind_of(box->dstMemoryType, box->srcMemoryType);
  return musaSuccess;
}

MUSA_MEMCPY3D driver_box(const musaMemcpy3DParms& params) {
  const auto type = [&](musaMemcpyKind one, musaMemcpyKind other) {
    if (params.kind == musaMemcpyDefault) return MU_MEMORYTYPE_UNIFIED;
    return params.kind == one || params.kind == other ? MU_MEMORYTYPE_HOST : MU_MEMORYTYPE_DEVICE;
  };
  const Side to = write_side(params.dstArray, params.dstPos, params.dstPtr,
                             type(musaMemcpyHostToHost, musaMemcpyDeviceToHost));
  const Side from = write_side(params.srcArray, params.srcPos, params.srcPtr,
                               type(musaMemcpyHostToHost, musaMemcpyHostToDevice));
  std::size_t element = 1;
  element_of_copy(resolve_array(params.dstArray).get(), resolve_array(params.srcArray).get(),
                  &element);
  return {from.position.x,
          from.position.y,
          from.position.z,
          0,
          from.type,
          from.host,
          from.device,
          from.array,
          nullptr,
          from.pitch,
          from.height,
          to.position.x,
          to.position.y,
          to.position.z,
          0,
          to.type,
          to.host,
          to.device,
          to.array,
          nullptr,
          to.pitch,
          to.height,
          params.extent.width * element,
          params.extent.height,
          params.extent.depth};
}

MUSA_MEMCPY3D box_of(const MUSA_MEMCPY2D& plane) {
  return {plane.srcXInBytes,
          plane.srcY,
          0,
          0,
          plane.srcMemoryType,
          plane.srcHost,
          plane.srcDevice,
          plane.srcArray,
          nullptr,
          plane.srcPitch,
          0,
          plane.dstXInBytes,
          plane.dstY,
          0,
          0,
          plane.dstMemoryType,
          plane.dstHost,
          plane.dstDevice,
          plane.dstArray,
          nullptr,
          plane.dstPitch,
          0,
          plane.WidthInBytes,
          plane.Height,
          1};
}

}  // namespace musa

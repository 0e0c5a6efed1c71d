#include "src/host/musa/driver_box.h"

#include <cstring>

#include "src/host/musa/array.h"
#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

// std::bit_cast, which gcc 10 lacks.
template <typename To, typename From>
To same_bytes(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to{};
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// The driver's structs have all that is known of the source before all of the destination. Offsets
// are in bytes, rows and slices.
struct Side {
  std::size_t x, y, z, level;
  MUmemorytype type;
  void* host;
  MUdeviceptr device;
  MUarray array;
  void* reserved;
  std::size_t pitch, height;
};

struct Box {
  Side from, to;
  std::size_t width, height, depth;
};

struct FlatSide {
  std::size_t x, y;
  MUmemorytype type;
  void* host;
  MUdeviceptr device;
  MUarray array;
  std::size_t pitch;
};

struct Plane {
  FlatSide from, to;
  std::size_t width, height;
};

musaMemcpyKind kind_of(MUmemorytype to, MUmemorytype from) {
  if (to == MU_MEMORYTYPE_UNIFIED || from == MU_MEMORYTYPE_UNIFIED) return musaMemcpyDefault;
  const bool to_host = to == MU_MEMORYTYPE_HOST;
  if (from == MU_MEMORYTYPE_HOST) return to_host ? musaMemcpyHostToHost : musaMemcpyHostToDevice;
  return to_host ? musaMemcpyDeviceToHost : musaMemcpyDeviceToDevice;
}

// 0 is not given.
bool is_short(std::size_t given, std::size_t offset, std::size_t size) {
  return given != 0 && (given < size || given - size < offset);
}

musaError_t read_side(const Side& side, const Box& box, std::shared_ptr<Array>* array,
                      musaArray_t* handle, musaPos* position, musaPitchedPtr* memory) {
  if (side.level != 0) return musaErrorInvalidValue;
  *position = {side.x, side.y, side.z};
  if (side.type == MU_MEMORYTYPE_ARRAY) {
    *array = resolve_array(side.array);
    if (*array == nullptr || side.x % (*array)->element_size != 0) return musaErrorInvalidValue;
    position->x /= (*array)->element_size;
    *handle = reinterpret_cast<musaArray_t>(side.array);
    return musaSuccess;
  }
  if (side.type < MU_MEMORYTYPE_HOST || side.type > MU_MEMORYTYPE_UNIFIED) {
    return musaErrorInvalidValue;
  }
  // Given sizes must have room for the copy.
  if (is_short(side.pitch, side.x, box.width) || is_short(side.height, side.y, box.height)) {
    return musaErrorInvalidValue;
  }
  memory->ptr = side.type == MU_MEMORYTYPE_HOST ? side.host : pointer(side.device);
  memory->pitch = side.pitch != 0 ? side.pitch : side.x + box.width;
  memory->xsize = memory->pitch;
  memory->ysize = side.height != 0 ? side.height : side.y + box.height;
  return musaSuccess;
}

Side write_side(musaArray_t array, const musaPos& position, const musaPitchedPtr& memory,
                MUmemorytype type) {
  Side side{position.x, position.y, position.z,   0,           type, nullptr, 0,
            nullptr,    nullptr,    memory.pitch, memory.ysize};
  if (const auto found = resolve_array(array)) {
    side.type = MU_MEMORYTYPE_ARRAY;
    side.array = reinterpret_cast<MUarray>(array);
    side.x *= found->element_size;
  } else if (type == MU_MEMORYTYPE_HOST) {
    side.host = memory.ptr;
  } else {
    side.device = reinterpret_cast<MUdeviceptr>(memory.ptr);
  }
  return side;
}

Side side_of(const FlatSide& flat) {
  return {flat.x,      flat.y,     0,       0,          flat.type, flat.host,
          flat.device, flat.array, nullptr, flat.pitch, 0};
}

}  // namespace

musaError_t runtime_box(const MUSA_MEMCPY3D* wanted, musaMemcpy3DParms* params) {
  if (wanted == nullptr) return musaErrorInvalidValue;
  const auto box = same_bytes<Box>(*wanted);
  std::shared_ptr<Array> to;
  std::shared_ptr<Array> from;
  *params = {};
  MUSA_RETURN_IF_ERROR(
      read_side(box.to, box, &to, &params->dstArray, &params->dstPos, &params->dstPtr));
  MUSA_RETURN_IF_ERROR(
      read_side(box.from, box, &from, &params->srcArray, &params->srcPos, &params->srcPtr));
  std::size_t element = 1;
  MUSA_RETURN_IF_ERROR(element_of_copy(to.get(), from.get(), &element));
  if (box.width % element != 0) return musaErrorInvalidValue;
  params->extent = {box.width / element, box.height, box.depth};
  params->kind = kind_of(box.to.type, box.from.type);
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
  return same_bytes<MUSA_MEMCPY3D>(
      Box{from, to, params.extent.width * element, params.extent.height, params.extent.depth});
}

MUSA_MEMCPY3D box_of(const MUSA_MEMCPY2D& flat) {
  const auto plane = same_bytes<Plane>(flat);
  return same_bytes<MUSA_MEMCPY3D>(
      Box{side_of(plane.from), side_of(plane.to), plane.width, plane.height, 1});
}

}  // namespace musa

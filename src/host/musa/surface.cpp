// Surface objects: arrays that kernels read and write. What kernels need lies at their handles.
#include <new>

#include "src/host/kernels/include/torchada_texture.h"
#include "src/host/kernels/textures/object_pages.h"
#include "src/host/musa/array.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

struct Surface {
  musaSurfaceObject_t handle = 0;
  int on_device = 0;
  musaResourceDesc resource{};

  int device() const { return on_device; }
};

using SurfaceHandles =
    host::HandleTable<host::HandleKind::kSurface, musaSurfaceObject_t, Surface, ObjectPages>;

SurfaceHandles& surface_handles() { return host::never_destroyed<SurfaceHandles>(); }

}  // namespace

void forget_surfaces(int device) {
  const auto ended =
      surface_handles().take([&](const Surface& each) { return each.device() == device; });
  for (const auto& each : ended) ObjectPages::give_back(each->handle);
}

musaError_t create_surface_object(musaSurfaceObject_t* pSurfObject,
                                  const struct musaResourceDesc* pResDesc) {
  return api([&](Runtime& runtime) {
    if (pSurfObject == nullptr || pResDesc == nullptr ||
        pResDesc->resType != musaResourceTypeArray) {
      return musaErrorInvalidValue;
    }
    const auto array = resolve_array(pResDesc->res.array.array);
    // NVIDIA's sample bindlessTexture writes levels that were made without the flag.
    if (array == nullptr || (!array->is_level && (array->flags & musaArraySurfaceLoadStore) == 0)) {
      return musaErrorInvalidValue;
    }
    auto made = std::make_shared<Surface>();
    made->on_device = runtime.current().ordinal;
    made->resource = *pResDesc;
    const musaSurfaceObject_t handle = surface_handles().insert(made);
    const std::uint64_t pitch = array->row_bytes();
    new (reinterpret_cast<void*>(handle))
        torchada_surface{~std::uint64_t{handle},
                         reinterpret_cast<unsigned char*>(array->base),
                         pitch,
                         pitch * array->rows(),
                         static_cast<std::int32_t>(pitch),
                         static_cast<std::int32_t>(array->rows()),
                         static_cast<std::int32_t>(array->slices())};
    *pSurfObject = handle;
    return musaSuccess;
  });
}

musaError_t destroy_surface_object(musaSurfaceObject_t surfObject) {
  return api([&](Runtime& runtime) {
    // CUDA's sample volumeFiltering checks that this succeeds.
    if (surfObject == 0) return musaSuccess;
    const auto found = surface_handles().find(surfObject);
    if (found == nullptr) return musaErrorInvalidValue;
    // Kernels may use it.
    Device& device = *runtime.device(found->device());
    const musaError_t status = wait_all(device, device.pending_everywhere());
    if (status == musaErrorNotPermitted) return status;
    if (surface_handles().remove(surfObject) == nullptr) return musaErrorInvalidValue;
    ObjectPages::give_back(surfObject);
    return musaSuccess;
  });
}

musaError_t get_surface_object_resource_desc(struct musaResourceDesc* pResDesc,
                                             musaSurfaceObject_t surfObject) {
  return api([&](Runtime&) {
    const auto found = surface_handles().find(surfObject);
    if (pResDesc == nullptr || found == nullptr) return musaErrorInvalidValue;
    *pResDesc = found->resource;
    return musaSuccess;
  });
}

}  // namespace musa

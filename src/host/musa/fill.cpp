// All fills. A fill covers rows in slices, as a copy does.
#include <cstring>

#include "src/host/musa/graph/capture.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/span.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

struct Fill {
  Shape shape;
  Span to;
  unsigned int value = 0;
  unsigned int element = 1;  // bytes of the value
};

// Repeats a value of several bytes.
void fill_row(unsigned char* row, std::size_t width, const Fill& fill) {
  if (fill.element == 1) {
    std::memset(row, static_cast<int>(fill.value), width);
    return;
  }
  for (std::size_t x = 0; x < width; x += fill.element) {
    std::memcpy(row + x, &fill.value, fill.element);
  }
}

void perform(Runtime& runtime, Device& device, const Fill& fill) {
  const auto entered = runtime.gate.enter();
  if (!is_still_valid(runtime, fill.to)) {
    device.fault.store(musaErrorIllegalAddress);
    return;
  }
  for (std::size_t z = 0; z < fill.shape.depth; ++z) {
    for (std::size_t y = 0; y < fill.shape.height; ++y) {
      fill_row(fill.to.start + z * fill.to.slice + y * fill.to.pitch, fill.shape.width, fill);
    }
  }
}

musaError_t check_fill(Runtime& runtime, Fill* fill, int device) {
  fill->to.user = device;
  fill->to.is_written = true;
  MUSA_RETURN_IF_ERROR(classify(runtime, fill->shape, &fill->to));
  return is_known(fill->to.kind) ? musaSuccess : musaErrorInvalidValue;
}

// Runs in the legacy stream. The caller waits only if the host could read the memory.
musaError_t perform_fill(Fill fill) {
  return api([&](Runtime& runtime) {
    Device& device = runtime.current();
    if (fill.shape.is_empty()) return musaSuccess;
    MUSA_RETURN_IF_ERROR(check_fill(runtime, &fill, device.ordinal));
    MUSA_RETURN_IF_ERROR(check_synchronous_call(device));
    MUSA_RETURN_IF_ERROR(device.fault.load());
    const bool wait = fill.to.is_awaited();
    if (wait && on_stream_thread()) return musaErrorNotPermitted;
    device.run_on_legacy([&runtime, &device, fill] { perform(runtime, device, fill); },
                         fill.shape.bytes(), wait);
    return device.fault.load();
  });
}

Body body_of(Runtime& runtime, Device& device, const Fill& fill, const musaMemsetParams& params) {
  auto body = std::make_shared<NodeBody>();
  body->type = musaGraphNodeTypeMemset;
  body->params = params;
  body->run = [&runtime, &device, fill] { perform(runtime, device, fill); };
  return body;
}

// One node for each slice.
musaError_t capture_fill(Runtime& runtime, Device& device, const Fill& fill,
                         const std::shared_ptr<Stream>& stream, bool* captured) {
  for (std::size_t z = 0; z < fill.shape.depth; ++z) {
    Fill slice = fill;
    slice.shape.depth = 1;
    slice.to.start += z * fill.to.slice;
    slice.to.bytes = (fill.shape.height - 1) * fill.to.pitch + fill.shape.width;
    const musaMemsetParams params = {
        slice.to.start,   fill.to.pitch, fill.value, fill.element, fill.shape.width / fill.element,
        fill.shape.height};
    const musaError_t status = try_capture(stream, captured, [&](Body* body) {
      *body = body_of(runtime, device, slice, params);
      return musaSuccess;
    });
    if (status != musaSuccess || !*captured) return status;
  }
  return musaSuccess;
}

musaError_t perform_fill(Fill fill, musaStream_t handle) {
  return in_stream(handle, [&](Runtime& runtime, const auto& stream) {
    if (fill.shape.is_empty()) return musaSuccess;
    Device& device = *runtime.device(stream->device());
    MUSA_RETURN_IF_ERROR(check_fill(runtime, &fill, device.ordinal));
    bool captured = false;
    MUSA_RETURN_IF_ERROR(capture_fill(runtime, device, fill, stream, &captured));
    if (captured) return musaSuccess;
    MUSA_RETURN_IF_ERROR(device.fault.load());
    device.submit(stream, [&runtime, &device, fill] { perform(runtime, device, fill); });
    return musaSuccess;
  });
}

Fill plane_fill(void* pointer, std::size_t pitch, int value, std::size_t width,
                std::size_t height) {
  Fill fill;
  fill.shape = {width, height, 1};
  fill.to.start = static_cast<unsigned char*>(pointer);
  fill.to.pitch = pitch;
  fill.value = static_cast<unsigned char>(value);
  return fill;
}

musaError_t box_fill(const musaPitchedPtr& pitched, int value, const musaExtent& extent,
                     Fill* fill) {
  fill->shape = {extent.width, extent.height, extent.depth};
  fill->value = static_cast<unsigned char>(value);
  if (fill->shape.is_empty()) return musaSuccess;
  const musaError_t status = span_of_pitched(pitched, {0, 0, 0}, fill->shape, &fill->to);
  // Only copies have a status for bad pitches.
  return status == musaErrorInvalidPitchValue ? musaErrorInvalidValue : status;
}

// Rows of elements, for the driver's functions.
musaError_t elements_fill(void* pointer, std::size_t pitch, unsigned int value,
                          unsigned int element, std::size_t width, std::size_t height, Fill* fill) {
  fill->element = element;
  fill->value = value;
  fill->shape.height = height;
  fill->to.start = static_cast<unsigned char*>(pointer);
  fill->to.pitch = pitch;
  const bool good = !__builtin_mul_overflow(width, element, &fill->shape.width) &&
                    reinterpret_cast<std::uintptr_t>(pointer) % element == 0 &&
                    (height <= 1 || (pitch >= fill->shape.width && pitch % element == 0));
  return good ? musaSuccess : musaErrorInvalidValue;
}

}  // namespace

musaError_t make_fill_body(Runtime& runtime, const musaMemsetParams* params, Body* body) {
  if (params == nullptr || params->width == 0 || params->height == 0 ||
      (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4)) {
    return musaErrorInvalidValue;
  }
  Fill fill;
  fill.element = params->elementSize;
  fill.value = params->value;
  fill.shape.height = params->height;
  fill.to.start = static_cast<unsigned char*>(params->dst);
  fill.to.pitch = params->pitch;
  if (__builtin_mul_overflow(params->width, params->elementSize, &fill.shape.width) ||
      (params->height > 1 && params->pitch < fill.shape.width)) {
    return musaErrorInvalidValue;
  }
  Device& device = runtime.current();
  MUSA_RETURN_IF_ERROR(check_fill(runtime, &fill, device.ordinal));
  *body = body_of(runtime, device, fill, *params);
  return musaSuccess;
}

namespace {

// What the functions do that take a stream, and those that do not.
template <typename... InStream>
musaError_t fill_flat(void* pointer, int value, std::size_t count, InStream... stream) {
  return perform_fill(plane_fill(pointer, count, value, count, 1), stream...);
}

template <typename... InStream>
musaError_t fill_plane(void* pointer, std::size_t pitch, int value, std::size_t width,
                       std::size_t height, InStream... stream) {
  if (width > pitch) return musaErrorInvalidValue;
  return perform_fill(plane_fill(pointer, pitch, value, width, height), stream...);
}

template <typename... InStream>
musaError_t fill_box(musaPitchedPtr pitched, int value, musaExtent extent, InStream... stream) {
  Fill fill;
  const musaError_t status = box_fill(pitched, value, extent, &fill);
  return status != musaSuccess ? status : perform_fill(fill, stream...);
}

template <typename... InStream>
musaError_t fill_elements(void* pointer, std::size_t pitch, unsigned int value,
                          unsigned int element, std::size_t width, std::size_t height,
                          InStream... stream) {
  Fill fill;
  MUSA_RETURN_IF_ERROR(elements_fill(pointer, pitch, value, element, width, height, &fill));
  return perform_fill(fill, stream...);
}

}  // namespace

HOST_FORWARD(musaError_t, 3, memset, fill_flat, )
HOST_FORWARD(musaError_t, 4, memset_async, fill_flat, )
HOST_FORWARD(musaError_t, 5, memset_2d, fill_plane, )
HOST_FORWARD(musaError_t, 6, memset_2d_async, fill_plane, )
HOST_FORWARD(musaError_t, 3, memset_3d, fill_box, )
HOST_FORWARD(musaError_t, 4, memset_3d_async, fill_box, )
HOST_FORWARD(musaError_t, 6, memset_elements, fill_elements, )
HOST_FORWARD(musaError_t, 7, memset_elements_async, fill_elements, )

}  // namespace musa

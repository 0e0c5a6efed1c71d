// All copies. Copies of one, two and three dimensions are all copies of rows in slices.
#include "src/host/musa/copy.h"

#include <cstring>
#include <memory>

#include "src/host/musa/array.h"
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

// Pageable memory up to this size is copied at once, so that the caller may reuse it. For more than
// this, the call waits.
constexpr std::size_t kStagedBytes = std::size_t{64} << 10;

void move_rows(const Copy& copy) {
  for (std::size_t z = 0; z < copy.shape.depth; ++z) {
    for (std::size_t y = 0; y < copy.shape.height; ++y) {
      std::memmove(copy.to.start + z * copy.to.slice + y * copy.to.pitch,
                   copy.from.start + z * copy.from.slice + y * copy.from.pitch, copy.shape.width);
    }
  }
}

void perform(Runtime& runtime, Device& device, const Copy& copy) {
  const auto entered = runtime.gate.enter();
  if (!is_still_valid(runtime, copy.to) || !is_still_valid(runtime, copy.from)) {
    device.fault.store(musaErrorIllegalAddress);
    return;
  }
  move_rows(copy);
}

musaError_t check_kind(musaMemcpyKind kind) {
  return kind >= musaMemcpyHostToHost && kind <= musaMemcpyDefault
             ? musaSuccess
             : musaErrorInvalidMemcpyDirection;
}

// A side called "device" must be memory that the device knows. A side called "host" may be any
// memory, but no array: there is one address space.
musaError_t check_direction(const Copy& copy, musaMemcpyKind kind) {
  if (kind == musaMemcpyDefault) return musaSuccess;
  const bool to_device = kind == musaMemcpyHostToDevice || kind == musaMemcpyDeviceToDevice;
  const bool from_device = kind == musaMemcpyDeviceToHost || kind == musaMemcpyDeviceToDevice;
  const bool array_on_host = (!to_device && copy.to.kind == MemoryKind::kArray) ||
                             (!from_device && copy.from.kind == MemoryKind::kArray);
  if (array_on_host) return musaErrorInvalidMemcpyDirection;
  const bool known =
      (!to_device || is_known(copy.to.kind)) && (!from_device || is_known(copy.from.kind));
  return known ? musaSuccess : musaErrorInvalidValue;
}

// Each side is used by a device.
musaError_t check_sides(Runtime& runtime, Copy* copy, int to, int from) {
  copy->to.user = to;
  copy->to.is_written = true;
  copy->from.user = from;
  MUSA_RETURN_IF_ERROR(classify(runtime, copy->shape, &copy->to));
  return classify(runtime, copy->shape, &copy->from);
}

}  // namespace

musaError_t check_copy(Runtime& runtime, Copy* copy, musaMemcpyKind kind, int device) {
  MUSA_RETURN_IF_ERROR(check_sides(runtime, copy, device, device));
  return check_direction(*copy, kind);
}

namespace {

// Packs the source into memory that the task owns.
std::shared_ptr<unsigned char[]> stage(Copy* copy) {
  const Shape& shape = copy->shape;
  std::shared_ptr<unsigned char[]> buffer(new unsigned char[shape.bytes()]);
  Copy packing = *copy;
  packing.to = Span{};
  packing.to.start = buffer.get();
  packing.to.pitch = shape.width;
  packing.to.slice = shape.width * shape.height;
  move_rows(packing);
  copy->from = packing.to;
  return buffer;
}

// Synchronous copies run in the legacy stream. The caller waits for them, except for copies within
// the device.
musaError_t copy_now(Runtime& runtime, const Copy& copy) {
  Device& device = runtime.current();
  MUSA_RETURN_IF_ERROR(check_synchronous_call(device));
  MUSA_RETURN_IF_ERROR(device.fault.load());
  const bool wait = copy.to.is_awaited() || copy.from.is_awaited();
  if (wait && on_stream_thread()) return musaErrorNotPermitted;
  device.run_on_legacy([&runtime, &device, copy] { perform(runtime, device, copy); },
                       copy.shape.bytes(), wait);
  return device.fault.load();
}

// Describes one side of a copy as the parameters of a graph node.
musaPitchedPtr describe(const Span& span, const Shape& shape) {
  const std::size_t pitch = span.pitch != 0 ? span.pitch : shape.width;
  return {span.start, pitch, shape.width, span.slice != 0 ? span.slice / pitch : shape.height};
}

// Tells the host, each device, and the arrays of each device apart.
int mapping_of(const Span& span) {
  return is_host_side(span.kind) ? -1 : 2 * span.device + (span.kind == MemoryKind::kArray ? 1 : 0);
}

Body body_of(Runtime& runtime, Device& device, const Copy& copy, musaMemcpyKind kind) {
  musaMemcpy3DParms params{};
  params.dstPtr = describe(copy.to, copy.shape);
  params.srcPtr = describe(copy.from, copy.shape);
  params.extent = {copy.shape.width, copy.shape.height, copy.shape.depth};
  params.kind = kind;
  auto body = std::make_shared<NodeBody>();
  body->type = musaGraphNodeTypeMemcpy;
  body->params = params;
  body->mapped = {mapping_of(copy.to), mapping_of(copy.from)};
  // The graph reads and writes pageable memory when it runs.
  body->run = [&runtime, &device, copy] { perform(runtime, device, copy); };
  return body;
}

}  // namespace

musaError_t copy_in_stream(Runtime& runtime, Copy copy, musaMemcpyKind kind,
                           const std::shared_ptr<Stream>& stream, SourceOrder order) {
  Device& device = *runtime.device(stream->device());
  MUSA_RETURN_IF_CAPTURED(stream, [&](Body* body) {
    *body = body_of(runtime, device, copy, kind);
    return musaSuccess;
  });
  MUSA_RETURN_IF_ERROR(device.fault.load());
  const bool from_pageable = copy.from.kind == MemoryKind::kPageable;
  const bool between_hosts = is_host_side(copy.to.kind) && is_host_side(copy.from.kind);
  const std::size_t bytes = copy.shape.width * copy.shape.height * copy.shape.depth;
  std::shared_ptr<unsigned char[]> staged;
  bool wait = between_hosts || copy.to.kind == MemoryKind::kPageable;
  if (order == SourceOrder::kAtOnce ||
      (!wait && from_pageable && order != SourceOrder::kInStream)) {
    const bool stage_it = is_host_side(copy.from.kind) && bytes <= kStagedBytes;
    if (stage_it) {
      staged = stage(&copy);
    } else {
      wait = true;
    }
  }
  if (wait && on_stream_thread()) return musaErrorNotPermitted;
  const std::uint64_t position =
      device.submit(stream, [&runtime, &device, copy, staged] { perform(runtime, device, copy); });
  return wait ? wait_all(device, {{stream, position}}) : musaSuccess;
}

musaError_t perform_copy(Copy copy, musaMemcpyKind kind) {
  return api([&](Runtime& runtime) {
    const Device& device = runtime.current();
    MUSA_RETURN_IF_ERROR(check_kind(kind));
    if (copy.shape.is_empty()) return musaSuccess;
    MUSA_RETURN_IF_ERROR(check_copy(runtime, &copy, kind, device.ordinal));
    return copy_now(runtime, copy);
  });
}

musaError_t perform_copy(Copy copy, musaMemcpyKind kind, musaStream_t handle) {
  return api([&](Runtime& runtime) {
    MUSA_RETURN_IF_ERROR(check_kind(kind));
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    if (copy.shape.is_empty()) return musaSuccess;
    MUSA_RETURN_IF_ERROR(check_copy(runtime, &copy, kind, stream->device()));
    return copy_in_stream(runtime, copy, kind, stream);
  });
}

Copy flat_copy(void* dst, const void* src, std::size_t count) {
  Copy copy;
  copy.shape.width = count;
  copy.to.start = static_cast<unsigned char*>(dst);
  copy.from.start = static_cast<unsigned char*>(const_cast<void*>(src));
  return copy;
}

namespace {

// A side is an array or, without one, a pitched pointer.
musaError_t span_of_side(const Array* array, const musaPitchedPtr& pitched, const musaPos& position,
                         const Shape& shape, Span* span) {
  if (array == nullptr) return span_of_pitched(pitched, position, shape, span);
  if (pitched.ptr != nullptr) return musaErrorInvalidValue;
  std::size_t x = 0;
  if (__builtin_mul_overflow(position.x, array->element_size, &x)) return musaErrorInvalidValue;
  return span_of_array(*array, x, position.y, position.z, shape, span);
}

// Works for both parameter structs, which use the same member names.
template <typename Parameters>
musaError_t box_copy(const Parameters* p, Copy* copy) {
  if (p == nullptr) return musaErrorInvalidValue;
  const auto to_array = resolve_array(p->dstArray);
  const auto from_array = resolve_array(p->srcArray);
  if ((p->dstArray != nullptr && to_array == nullptr) ||
      (p->srcArray != nullptr && from_array == nullptr)) {
    return musaErrorInvalidResourceHandle;
  }
  std::size_t element = 0;
  MUSA_RETURN_IF_ERROR(element_of_copy(to_array.get(), from_array.get(), &element));
  copy->shape = {0, p->extent.height, p->extent.depth};
  if (__builtin_mul_overflow(p->extent.width, element, &copy->shape.width)) {
    return musaErrorInvalidValue;
  }
  if (copy->shape.is_empty()) return musaSuccess;
  MUSA_RETURN_IF_ERROR(span_of_side(to_array.get(), p->dstPtr, p->dstPos, copy->shape, &copy->to));
  return span_of_side(from_array.get(), p->srcPtr, p->srcPos, copy->shape, &copy->from);
}

template <typename Parameters>
musaError_t checked_box(const Parameters* p, Copy* copy) {
  return api([&](Runtime&) { return box_copy(p, copy); });
}

// Device memory must be on the device that the caller names. What the program mapped is where that
// device has access.
bool is_on(const Span& span, int device) {
  return is_known(span.kind) &&
         (!is_device_side(span.kind) || span.kind == MemoryKind::kVirtual || span.device == device);
}

musaError_t check_peer_copy(Runtime& runtime, Copy* copy, int dst_device, int src_device) {
  if (runtime.device(dst_device) == nullptr || runtime.device(src_device) == nullptr) {
    return musaErrorInvalidDevice;
  }
  if (copy->shape.is_empty()) return musaSuccess;
  MUSA_RETURN_IF_ERROR(check_sides(runtime, copy, dst_device, src_device));
  return is_on(copy->to, dst_device) && is_on(copy->from, src_device) ? musaSuccess
                                                                      : musaErrorInvalidValue;
}

// Runs after all earlier work of every device involved, and before all later work.
musaError_t perform_peer_copy(Copy copy, int dst_device, int src_device) {
  return api([&](Runtime& runtime) {
    Device& current = runtime.current();
    MUSA_RETURN_IF_ERROR(check_peer_copy(runtime, &copy, dst_device, src_device));
    if (copy.shape.is_empty()) return musaSuccess;
    for (Device* device : {&current, runtime.device(dst_device), runtime.device(src_device)}) {
      MUSA_RETURN_IF_ERROR(wait_all(*device, device->pending_everywhere()));
    }
    return copy_now(runtime, copy);
  });
}

musaError_t perform_peer_copy(Copy copy, int dst_device, int src_device, musaStream_t handle) {
  return in_stream(handle, [&](Runtime& runtime, const auto& stream) {
    MUSA_RETURN_IF_ERROR(check_peer_copy(runtime, &copy, dst_device, src_device));
    return copy.shape.is_empty() ? musaSuccess
                                 : copy_in_stream(runtime, copy, musaMemcpyDefault, stream);
  });
}

}  // namespace

musaError_t make_copy_body(Runtime& runtime, const musaMemcpy3DParms* params, Body* body) {
  Copy copy;
  MUSA_RETURN_IF_ERROR(box_copy(params, &copy));
  MUSA_RETURN_IF_ERROR(check_kind(params->kind));
  if (copy.shape.is_empty()) return musaErrorInvalidValue;
  MUSA_RETURN_IF_ERROR(check_copy(runtime, &copy, params->kind, runtime.current().ordinal));
  const auto made =
      std::make_shared<NodeBody>(*body_of(runtime, runtime.current(), copy, params->kind));
  made->params = *params;  // as the program gave them
  *body = made;
  return musaSuccess;
}

namespace {

// What the functions do that take a stream, and those that do not.
template <typename... InStream>
musaError_t copy_of_bytes(void* dst, const void* src, std::size_t count, musaMemcpyKind kind,
                          InStream... stream) {
  return perform_copy(flat_copy(dst, src, count), kind, stream...);
}

template <typename... InStream>
musaError_t copy_of_plane(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch,
                          std::size_t width, std::size_t height, musaMemcpyKind kind,
                          InStream... stream) {
  if (width > dst_pitch || width > src_pitch) return musaErrorInvalidPitchValue;
  Copy copy = flat_copy(dst, src, width);
  copy.shape.height = height;
  copy.to.pitch = dst_pitch;
  copy.from.pitch = src_pitch;
  return perform_copy(copy, kind, stream...);
}

template <typename... InStream>
musaError_t copy_of_box(const musaMemcpy3DParms* p, InStream... stream) {
  Copy copy;
  const musaError_t status = checked_box(p, &copy);
  return status != musaSuccess ? status : perform_copy(copy, p->kind, stream...);
}

template <typename... InStream>
musaError_t copy_of_peers(void* dst, int dst_device, const void* src, int src_device,
                          std::size_t count, InStream... stream) {
  return perform_peer_copy(flat_copy(dst, src, count), dst_device, src_device, stream...);
}

template <typename... InStream>
musaError_t copy_of_peers_box(const musaMemcpy3DPeerParms* p, InStream... stream) {
  Copy copy;
  const musaError_t status = checked_box(p, &copy);
  return status != musaSuccess ? status
                               : perform_peer_copy(copy, p->dstDevice, p->srcDevice, stream...);
}

}  // namespace

HOST_FORWARD(musaError_t, 4, memcpy, copy_of_bytes, )
HOST_FORWARD(musaError_t, 5, memcpy_async, copy_of_bytes, )
HOST_FORWARD(musaError_t, 7, memcpy_2d, copy_of_plane, )
HOST_FORWARD(musaError_t, 8, memcpy_2d_async, copy_of_plane, )
HOST_FORWARD(musaError_t, 1, memcpy_3d, copy_of_box, )
HOST_FORWARD(musaError_t, 2, memcpy_3d_async, copy_of_box, )
HOST_FORWARD(musaError_t, 5, memcpy_peer, copy_of_peers, )
HOST_FORWARD(musaError_t, 6, memcpy_peer_async, copy_of_peers, )
HOST_FORWARD(musaError_t, 1, memcpy_3d_peer, copy_of_peers_box, )
HOST_FORWARD(musaError_t, 2, memcpy_3d_peer_async, copy_of_peers_box, )

}  // namespace musa

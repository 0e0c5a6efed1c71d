// Many copies in one call. They run after earlier work in the stream, in any order among each
// other.
#include <vector>

#include "src/host/musa/array.h"
#include "src/host/musa/copy.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

bool is_order(musaMemcpySrcAccessOrder order) {
  return order >= musaMemcpySrcAccessOrderStream && order <= musaMemcpySrcAccessOrderAny;
}

bool are_flags(unsigned int flags) {
  return (flags & ~static_cast<unsigned int>(musaMemcpyFlagPreferOverlapWithCompute)) == 0;
}

SourceOrder source_order(musaMemcpySrcAccessOrder order) {
  switch (order) {
    case musaMemcpySrcAccessOrderStream:
      return SourceOrder::kInStream;
    case musaMemcpySrcAccessOrderDuringApiCall:
      return SourceOrder::kAtOnce;
    default:
      return SourceOrder::kConvenient;
  }
}

struct OrderedCopy {
  Copy copy;
  SourceOrder order = SourceOrder::kConvenient;
};

// Copies all or nothing. `prepare` fills in the copy with the given index.
template <typename Prepare>
musaError_t copy_all(std::size_t count, std::size_t* failed, musaStream_t handle, bool good,
                     Prepare&& prepare) {
  return api([&](Runtime& runtime) {
    // SIZE_MAX: no single copy is to blame.
    if (failed != nullptr) *failed = SIZE_MAX;
    // Batches need a stream other than the legacy one.
    if (!good || count == 0 || handle == nullptr || handle == musaStreamLegacy) {
      return musaErrorInvalidValue;
    }
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    std::vector<OrderedCopy> copies(count);
    for (std::size_t i = 0; i < count; ++i) {
      musaError_t status = prepare(i, &copies[i]);
      if (status == musaSuccess) {
        status = check_copy(runtime, &copies[i].copy, musaMemcpyDefault, stream->device());
      }
      if (status != musaSuccess) {
        if (failed != nullptr) *failed = i;
        return status;
      }
    }
    for (const OrderedCopy& ordered : copies) {
      MUSA_RETURN_IF_ERROR(
          copy_in_stream(runtime, ordered.copy, musaMemcpyDefault, stream, ordered.order));
    }
    return musaSuccess;
  });
}

// Attribute k applies to the copies from attrsIdxs[k] up to the start of the next attribute.
bool are_attributes(const musaMemcpyAttributes* attributes, const std::size_t* starts,
                    std::size_t attribute_count, std::size_t count) {
  if (attributes == nullptr || starts == nullptr || attribute_count == 0 ||
      attribute_count > count || starts[0] != 0) {
    return false;
  }
  for (std::size_t k = 0; k < attribute_count; ++k) {
    if (!is_order(attributes[k].srcAccessOrder) || !are_flags(attributes[k].flags) ||
        starts[k] >= count || (k > 0 && starts[k] <= starts[k - 1])) {
      return false;
    }
  }
  return true;
}

musaError_t span_of_pointer(const musaMemcpy3DOperand& operand, std::size_t element,
                            const Shape& shape, const musaExtent& extent, Span* span) {
  const auto& pointer = operand.op.ptr;
  // 0 means the extent.
  const std::size_t row = pointer.rowLength != 0 ? pointer.rowLength : extent.width;
  const std::size_t rows = pointer.layerHeight != 0 ? pointer.layerHeight : extent.height;
  if (row < extent.width || rows < extent.height) return musaErrorInvalidValue;
  musaPitchedPtr pitched{pointer.ptr, 0, row, rows};
  if (__builtin_mul_overflow(row, element, &pitched.pitch)) return musaErrorInvalidValue;
  return span_of_pitched(pitched, {0, 0, 0}, shape, span);
}

std::shared_ptr<Array> array_of(const musaMemcpy3DOperand& operand) {
  return operand.type == musaMemcpyOperandTypeArray ? resolve_array(operand.op.array.array)
                                                    : nullptr;
}

musaError_t span_of_operand(const musaMemcpy3DOperand& operand, const Array* array,
                            std::size_t element, const Shape& shape, const musaExtent& extent,
                            Span* span) {
  if (operand.type == musaMemcpyOperandTypePointer) {
    return span_of_pointer(operand, element, shape, extent, span);
  }
  if (operand.type != musaMemcpyOperandTypeArray) return musaErrorInvalidValue;
  if (array == nullptr) return musaErrorInvalidResourceHandle;
  const musaOffset3D& offset = operand.op.array.offset;
  std::size_t x = 0;
  if (__builtin_mul_overflow(offset.x, array->element_size, &x)) return musaErrorInvalidValue;
  return span_of_array(*array, x, offset.y, offset.z, shape, span);
}

musaError_t prepare_box(const musaMemcpy3DBatchOp& op, OrderedCopy* ordered) {
  if (!is_order(op.srcAccessOrder) || !are_flags(op.flags)) return musaErrorInvalidValue;
  ordered->order = source_order(op.srcAccessOrder);
  const auto to = array_of(op.dst);
  const auto from = array_of(op.src);
  std::size_t element = 0;
  MUSA_RETURN_IF_ERROR(element_of_copy(to.get(), from.get(), &element));
  Shape& shape = ordered->copy.shape;
  shape = {0, op.extent.height, op.extent.depth};
  if (__builtin_mul_overflow(op.extent.width, element, &shape.width) || shape.is_empty()) {
    return musaErrorInvalidValue;
  }
  MUSA_RETURN_IF_ERROR(
      span_of_operand(op.dst, to.get(), element, shape, op.extent, &ordered->copy.to));
  return span_of_operand(op.src, from.get(), element, shape, op.extent, &ordered->copy.from);
}

}  // namespace

musaError_t memcpy_batch_async(void** dsts, void** srcs, size_t* sizes, size_t count,
                               struct musaMemcpyAttributes* attrs, size_t* attrsIdxs,
                               size_t numAttrs, size_t* failIdx, musaStream_t stream) {
  const bool good = dsts != nullptr && srcs != nullptr && sizes != nullptr &&
                    are_attributes(attrs, attrsIdxs, numAttrs, count);
  std::size_t attribute = 0;
  return copy_all(count, failIdx, stream, good, [&](std::size_t i, auto* ordered) {
    while (attribute + 1 < numAttrs && attrsIdxs[attribute + 1] <= i) ++attribute;
    ordered->order = source_order(attrs[attribute].srcAccessOrder);
    if (sizes[i] == 0) return musaErrorInvalidValue;
    ordered->copy = flat_copy(dsts[i], srcs[i], sizes[i]);
    return musaSuccess;
  });
}

musaError_t memcpy_3d_batch_async(size_t numOps, struct musaMemcpy3DBatchOp* opList,
                                  size_t* failIdx, unsigned long long flags, musaStream_t stream) {
  const bool good = opList != nullptr && flags == 0;
  return copy_all(numOps, failIdx, stream, good,
                  [&](std::size_t i, auto* ordered) { return prepare_box(opList[i], ordered); });
}

}  // namespace musa

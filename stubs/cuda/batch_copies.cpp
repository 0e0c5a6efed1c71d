// Copies in batches and copies with attributes: by MUSA's call for batches where it has one and its
// numbers are public, otherwise one copy after the other. Hints about places, and whether a copy
// may overlap with kernels, change no result and are not passed on.
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/batch_records.h"
#include "stubs/cuda/box.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::BatchRecords;
using torchada::driver::Box;
using torchada::driver::for_each_member;
using torchada::driver::Side;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

using Address = unsigned long long;

// CUmemcpyAttributes.
struct Attributes {
  int order;
  int source_hint[2];
  int target_hint[2];
  unsigned flags;
};
static_assert(sizeof(Attributes) == cuda::sizeof_CUmemcpyAttributes);
static_assert(offsetof(Attributes, flags) == cuda::CUmemcpyAttributes_flags);

// CUmemcpy3DOperand for linear memory.
struct Operand {
  int type;
  Address address;
  size_t row_bytes;
  size_t rows;
  int hint[2];
};
static_assert(sizeof(Operand) == cuda::sizeof_CUmemcpy3DOperand);
static_assert(offsetof(Operand, address) == cuda::CUmemcpy3DOperand_op_ptr_ptr);
static_assert(offsetof(Operand, rows) == cuda::CUmemcpy3DOperand_op_ptr_layerHeight);

// CUDA_MEMCPY3D_BATCH_OP.
struct Member {
  Operand from;
  Operand to;
  size_t width;
  size_t height;
  size_t depth;
  int order;
  unsigned flags;
};
static_assert(sizeof(Member) == cuda::sizeof_CUDA_MEMCPY3D_BATCH_OP);
static_assert(offsetof(Member, to) == cuda::CUDA_MEMCPY3D_BATCH_OP_dst);
static_assert(offsetof(Member, width) == cuda::CUDA_MEMCPY3D_BATCH_OP_extent);
static_assert(offsetof(Member, order) == cuda::CUDA_MEMCPY3D_BATCH_OP_srcAccessOrder);

// CUDA accepts no legacy default stream here.
int require_stream(const void* stream) {
  const auto number = reinterpret_cast<uintptr_t>(stream);
  const bool is_legacy = number <= 1;
  return is_legacy ? fail(torchada::kInvalid) : 0;
}

int require_order(int order) {
  switch (order) {
    case cuda::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM:
    case cuda::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL:
    case cuda::CU_MEMCPY_SRC_ACCESS_ORDER_ANY:
      return 0;
    default:
      return fail(torchada::kInvalid);
  }
}

// The caller may change the source when the call returns.
int finish(const char* function, int order, void* stream) {
  if (order != cuda::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL) return 0;
  return outcome({function, "muStreamSynchronize"}, muStreamSynchronize(stream));
}

int copy_one(const char* function, Address to, Address from, size_t size, int order, void* stream) {
  if (const int status = require_order(order)) return status;
  if (const int status =
          outcome({function, "muMemcpyAsync"}, muMemcpyAsync(to, from, size, stream))) {
    return status;
  }
  return finish(function, order, stream);
}

struct Batch {
  const Address* to;
  const Address* from;
  const size_t* sizes;
  size_t count;
  const Attributes* attributes;
  BatchRecords records;  // Of `attributes`.
};

bool is_valid(const Batch& batch) {
  if (!batch.to || !batch.from || !batch.sizes || !batch.attributes) return false;
  return torchada::driver::is_valid(batch.records, batch.count);
}

// The one order whose number in MUSA is public.
bool is_in_stream_order(const Batch& batch) {
  for (size_t i = 0; i < batch.records.count; ++i) {
    if (batch.attributes[i].order != cuda::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM) return false;
  }
  return true;
}

// kUnsupported if MUSA has no call for batches, as before SDK 5.2. Nothing is copied then.
int copy_at_once(const Batch& batch, size_t* failed, void* stream) {
  // As long as CUDA's, and the order comes first in both. What else MUSA's has is not public.
  Attributes attributes = {musa::MU_MEMCPY_SRC_ACCESS_ORDER_STREAM, {}, {}, 0};
  size_t first = 0;
  return muMemoryTransferBatchAsync(
      const_cast<Address*>(batch.to), const_cast<Address*>(batch.from),
      const_cast<size_t*>(batch.sizes), batch.count, &attributes, &first, 1, failed, stream);
}

int copy_batch(const char* function, const Batch& batch, size_t* failed, void* stream) {
  if (failed) *failed = SIZE_MAX;  // None in particular.
  if (const int status = require_stream(stream)) return status;
  if (!is_valid(batch)) return fail(torchada::kInvalid);
  if (is_in_stream_order(batch)) {
    size_t there = SIZE_MAX;
    const int status = copy_at_once(batch, &there, stream);
    if (status != torchada::kUnsupported) {
      if (status != 0 && failed) *failed = there;
      return outcome({function, "muMemoryTransferBatchAsync"}, status);
    }
  }
  return for_each_member(batch.records, batch.count, [&](size_t i, size_t attribute) {
    const int status = copy_one(function, batch.to[i], batch.from[i], batch.sizes[i],
                                batch.attributes[attribute].order, stream);
    if (status != 0 && failed) *failed = i;
    return status;
  });
}

Side side_of(const Operand& operand, const Member& copy) {
  Side side = {};
  side.type = static_cast<int>(cuda::CU_MEMORYTYPE_UNIFIED);
  side.device = operand.address;
  side.pitch = operand.row_bytes != 0 ? operand.row_bytes : copy.width;
  side.height = operand.rows != 0 ? operand.rows : copy.height;
  return side;
}

int require_linear(const char* function, const char* side, int type) {
  if (type == cuda::CU_MEMCPY_OPERAND_TYPE_POINTER) return 0;
  if (type != cuda::CU_MEMCPY_OPERAND_TYPE_ARRAY) return fail(torchada::kInvalid);
  return torchada::refuse_argument(
      function, side, torchada::enumerator_text("CUmemcpy3DOperandType", type).c_str(),
      "only linear memory is copied in batches; copy arrays with cuMemcpy3DAsync",
      torchada::kUnsupported);
}

int copy_box(const char* function, const Member& copy, void* stream) {
  if (const int status = require_linear(function, "src.type", copy.from.type)) return status;
  if (const int status = require_linear(function, "dst.type", copy.to.type)) return status;
  if (const int status = require_order(copy.order)) return status;
  const Box box{side_of(copy.from, copy), side_of(copy.to, copy), copy.width, copy.height,
                copy.depth};
  if (const int status =
          outcome({function, "muMemcpy3DAsync_v2"}, muMemcpy3DAsync_v2(&box, stream))) {
    return status;
  }
  return finish(function, copy.order, stream);
}

int copy_boxes(const char* function, size_t count, const void* list, size_t* failed,
               unsigned long long flags, void* stream) {
  if (failed) *failed = SIZE_MAX;
  if (const int status = require_stream(stream)) return status;
  if (count == 0 || !list || flags != 0) return fail(torchada::kInvalid);
  const auto* const copies = static_cast<const Member*>(list);
  for (size_t i = 0; i < count; ++i) {
    const int status = copy_box(function, copies[i], stream);
    if (status == 0) continue;
    if (failed) *failed = i;
    return status;
  }
  return 0;
}

}  // namespace

extern "C" {

int torchada_adapter_cuMemcpyBatchAsync(const Address* to, const Address* from, const size_t* sizes,
                                        size_t count, const void* attributes, const size_t* first,
                                        size_t attribute_count, size_t* failed, void* stream) {
  return copy_batch("cuMemcpyBatchAsync",
                    {to,
                     from,
                     sizes,
                     count,
                     static_cast<const Attributes*>(attributes),
                     {first, attribute_count}},
                    failed, stream);
}

int torchada_adapter_cuMemcpy3DBatchAsync(size_t count, const void* copies, size_t* failed,
                                          unsigned long long flags, void* stream) {
  return copy_boxes("cuMemcpy3DBatchAsync", count, copies, failed, flags, stream);
}

int torchada_adapter_cuMemcpyWithAttributesAsync(Address to, Address from, size_t size,
                                                 const void* attributes, void* stream) {
  if (const int status = require_stream(stream)) return status;
  if (!attributes) return fail(torchada::kInvalid);
  return copy_one("cuMemcpyWithAttributesAsync", to, from, size,
                  static_cast<const Attributes*>(attributes)->order, stream);
}

}  // extern "C"

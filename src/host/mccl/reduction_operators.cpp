#include "src/host/mccl/reduction_operators.h"

#include <atomic>
#include <cstring>

#include "src/host/mccl/buffers.h"
#include "src/host/mccl/data_types.h"
#include "src/host/mccl/errors.h"

namespace host_mccl {
namespace {

// Unique across communicators, so that an operator used with the wrong one is recognised.
std::atomic<int> next_operator{mcclNumOps};

}  // namespace

mcclResult_t resolve_operator(Communicator& communicator, mcclRedOp_t op, mcclDataType_t type,
                              std::optional<Scale>& scale, const char* caller) {
  const int number = static_cast<int>(op);
  if (number >= 0 && number < mcclNumOps) return mcclSuccess;
  const std::lock_guard lock(communicator.mutex);
  const auto found = communicator.operators.find(number);
  if (found == communicator.operators.end()) {
    return fail(mcclInvalidArgument, "%s: operator %d does not exist in this communicator", caller,
                number);
  }
  if (found->second.type != type) {
    return fail(mcclInvalidArgument, "%s: operator %d was created for another data type", caller,
                number);
  }
  scale = found->second;
  return mcclSuccess;
}

}  // namespace host_mccl

using namespace host_mccl;

mcclResult_t mcclRedOpCreatePreMulSum(mcclRedOp_t* op, void* scalar, mcclDataType_t datatype,
                                      mcclScalarResidence_t residence, mcclComm_t comm) {
  constexpr auto kCaller = "mcclRedOpCreatePreMulSum";
  const auto communicator = find_communicator(comm, kCaller);
  if (!communicator) return mcclInvalidArgument;
  const auto size = element_size(datatype);
  const bool known = residence == mcclScalarDevice || residence == mcclScalarHostImmediate;
  if (op == nullptr || scalar == nullptr || !size || !known) {
    return fail(mcclInvalidArgument, "%s: null pointer, unknown data type or residence", kCaller);
  }
  Scale scale{datatype, {}, nullptr};
  if (residence == mcclScalarDevice) {
    const auto checked = check_buffer(kCaller, "scalar", scalar, *size);
    if (checked != mcclSuccess) return checked;
    scale.device_scalar = scalar;
  } else {
    std::memcpy(scale.immediate.data(), scalar, *size);
  }
  const int number = next_operator++;
  const std::lock_guard lock(communicator->mutex);
  communicator->operators.emplace(number, scale);
  *op = static_cast<mcclRedOp_t>(number);
  return mcclSuccess;
}

mcclResult_t mcclRedOpDestroy(mcclRedOp_t op, mcclComm_t comm) {
  constexpr auto kCaller = "mcclRedOpDestroy";
  const auto communicator = find_communicator(comm, kCaller);
  if (!communicator) return mcclInvalidArgument;
  const std::lock_guard lock(communicator->mutex);
  if (communicator->operators.erase(static_cast<int>(op)) != 0) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: operator %d is built in, unknown or of another comm",
              kCaller, static_cast<int>(op));
}

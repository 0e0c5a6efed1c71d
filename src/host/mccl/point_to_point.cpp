// Send and receive.
#include <mccl.h>

#include "src/host/mccl/arguments.h"
#include "src/host/mccl/communicator.h"
#include "src/host/mccl/data_types.h"
#include "src/host/mccl/group.h"

namespace host_mccl {
namespace {

mcclResult_t transfer(const char* name, bool sending, void* buffer, size_t count,
                      mcclDataType_t type, int peer, mcclComm_t comm, musaStream_t stream) {
  auto communicator = find_communicator(comm, name);
  if (!communicator) return mcclInvalidArgument;
  auto result = check_elements(name, count, type);
  if (result == mcclSuccess) result = check_rank(name, "peer", peer, *communicator);
  if (result == mcclSuccess) {
    result = check_buffer(name, sending ? "sendbuff" : "recvbuff", buffer, *byte_size(count, type));
  }
  if (result == mcclSuccess) result = check_working(name, *communicator);
  if (result != mcclSuccess) return result;
  // Empty transfers take part too: the other side may expect data.
  return submit(TransferWork{std::move(communicator), stream, buffer, *byte_size(count, type), peer,
                             sending});
}

}  // namespace
}  // namespace host_mccl

using namespace host_mccl;

mcclResult_t mcclSend(const void* sendbuff, size_t count, mcclDataType_t datatype, int peer,
                      mcclComm_t comm, musaStream_t stream) {
  return note(
      transfer("mcclSend", true, const_cast<void*>(sendbuff), count, datatype, peer, comm, stream));
}

mcclResult_t mcclRecv(void* recvbuff, size_t count, mcclDataType_t datatype, int peer,
                      mcclComm_t comm, musaStream_t stream) {
  return note(transfer("mcclRecv", false, recvbuff, count, datatype, peer, comm, stream));
}

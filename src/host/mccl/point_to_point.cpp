// Send and receive. The only peer is this rank itself, so both halves meet in one group.
#include <mccl.h>

#include "arguments.h"
#include "communicator.h"
#include "data_types.h"
#include "group.h"

namespace host_mccl {
namespace {

mcclResult_t transfer(const char* name, mcclResult_t (*submit_side)(const Endpoint&), void* buffer,
                      size_t count, mcclDataType_t type, int peer, mcclComm_t comm,
                      musaStream_t stream) {
  const auto communicator = find_communicator(comm, name);
  if (!communicator) return mcclInvalidArgument;
  auto result = check_elements(name, count, type);
  if (result == mcclSuccess) result = check_rank(name, "peer", peer);
  if (result == mcclSuccess && count != 0) result = check_buffers(name, buffer, buffer);
  if (result != mcclSuccess) return result;
  return submit_side({communicator, stream, buffer, *byte_size(count, type)});
}

}  // namespace
}  // namespace host_mccl

using namespace host_mccl;

extern "C" {

mcclResult_t mcclSend(const void* sendbuff, size_t count, mcclDataType_t datatype, int peer,
                      mcclComm_t comm, musaStream_t stream) {
  return note(transfer("mcclSend", submit_send, const_cast<void*>(sendbuff), count, datatype, peer,
                       comm, stream));
}

mcclResult_t mcclRecv(void* recvbuff, size_t count, mcclDataType_t datatype, int peer,
                      mcclComm_t comm, musaStream_t stream) {
  return note(transfer("mcclRecv", submit_receive, recvbuff, count, datatype, peer, comm, stream));
}

}  // extern "C"

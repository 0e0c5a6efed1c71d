// Collectives. With one rank each of them copies this rank's elements to where its result goes.
#include <mccl.h>

#include "arguments.h"
#include "communicator.h"
#include "data_types.h"
#include "errors.h"
#include "group.h"
#include "movement.h"
#include "reduction_operators.h"

namespace host_mccl {
namespace {

struct Call {
  const char* name;
  const void* source;
  void* destination;
  std::size_t count;
  mcclDataType_t type;
  mcclComm_t comm;
  musaStream_t stream;
  int root = Communicator::kRank;
  mcclRedOp_t op = mcclSum;
};

mcclResult_t checked(const Call& call) {
  const auto communicator = find_communicator(call.comm, call.name);
  if (!communicator) return mcclInvalidArgument;
  auto result = check_elements(call.name, call.count, call.type);
  if (result == mcclSuccess) result = check_rank(call.name, "root", call.root);
  std::optional<Scale> scale;
  if (result == mcclSuccess) {
    result = resolve_operator(*communicator, call.op, call.type, scale, call.name);
  }
  if (result != mcclSuccess || call.count == 0) return result;
  result = check_buffers(call.name, call.source, call.destination);
  if (result != mcclSuccess) return result;
  return submit({call.source, call.destination, call.count, call.type, scale}, call.stream);
}

mcclResult_t collective(const Call& call) { return note(checked(call)); }

mcclResult_t all_to_all_v(const Call& call, const size_t* sendcounts, const size_t* sdispls,
                          const size_t* recvcounts, const size_t* rdispls) {
  if (!sendcounts || !sdispls || !recvcounts || !rdispls) {
    return note(fail(mcclInvalidArgument, "%s: a table of counts or places is null", call.name));
  }
  if (*sendcounts != *recvcounts) {
    return note(fail(mcclInvalidArgument, "%s: this rank sends itself %zu elements and expects %zu",
                     call.name, *sendcounts, *recvcounts));
  }
  Call placed = call;
  placed.count = *sendcounts;
  const auto source_offset = byte_size(*sdispls, call.type);
  const auto destination_offset = byte_size(*rdispls, call.type);
  if (!source_offset || !destination_offset) {
    return note(fail(mcclInvalidArgument, "%s: unknown data type or impossible place", call.name));
  }
  if (call.source) placed.source = static_cast<const char*>(call.source) + *source_offset;
  if (call.destination)
    placed.destination = static_cast<char*>(call.destination) + *destination_offset;
  return collective(placed);
}

}  // namespace
}  // namespace host_mccl

using namespace host_mccl;

extern "C" {

mcclResult_t mcclReduce(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                        mcclRedOp_t op, int root, mcclComm_t comm, musaStream_t stream) {
  return collective({"mcclReduce", sendbuff, recvbuff, count, datatype, comm, stream, root, op});
}

mcclResult_t mcclBcast(void* buff, size_t count, mcclDataType_t datatype, int root, mcclComm_t comm,
                       musaStream_t stream) {
  return collective({"mcclBcast", buff, buff, count, datatype, comm, stream, root});
}

mcclResult_t mcclBroadcast(const void* sendbuff, void* recvbuff, size_t count,
                           mcclDataType_t datatype, int root, mcclComm_t comm,
                           musaStream_t stream) {
  return collective({"mcclBroadcast", sendbuff, recvbuff, count, datatype, comm, stream, root});
}

mcclResult_t mcclAllReduce(const void* sendbuff, void* recvbuff, size_t count,
                           mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm,
                           musaStream_t stream) {
  return collective({"mcclAllReduce", sendbuff, recvbuff, count, datatype, comm, stream,
                     Communicator::kRank, op});
}

mcclResult_t mcclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount,
                               mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm,
                               musaStream_t stream) {
  return collective({"mcclReduceScatter", sendbuff, recvbuff, recvcount, datatype, comm, stream,
                     Communicator::kRank, op});
}

mcclResult_t mcclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount,
                           mcclDataType_t datatype, mcclComm_t comm, musaStream_t stream) {
  return collective({"mcclAllGather", sendbuff, recvbuff, sendcount, datatype, comm, stream});
}

mcclResult_t mcclAllToAllv(const void* sendbuff, const size_t* sendcounts, const size_t* sdispls,
                           void* recvbuff, const size_t* recvcounts, const size_t* rdispls,
                           mcclDataType_t datatype, mcclComm_t comm, musaStream_t stream) {
  return all_to_all_v({"mcclAllToAllv", sendbuff, recvbuff, 0, datatype, comm, stream}, sendcounts,
                      sdispls, recvcounts, rdispls);
}

}  // extern "C"

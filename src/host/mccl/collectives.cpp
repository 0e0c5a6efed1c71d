// The functions that start collectives.
#include <mccl.h>

#include "src/host/mccl/arguments.h"
#include "src/host/mccl/communicator.h"
#include "src/host/mccl/data_types.h"
#include "src/host/mccl/errors.h"
#include "src/host/mccl/group.h"
#include "src/host/mccl/reduction_operators.h"
#include "src/host/shared/forward.h"

namespace host_mccl {
namespace {

constexpr int kNoRoot = 0;

struct Call {
  const char* name;
  OperationKind kind;
  const void* source;
  void* destination;
  std::size_t count;
  mcclDataType_t type;
  mcclComm_t comm;
  musaStream_t stream;
  int root = kNoRoot;
  mcclRedOp_t op = mcclSum;
};

bool reads_source(const Call& call, const Communicator& communicator) {
  return call.kind != OperationKind::kBroadcast || communicator.rank == call.root;
}

bool writes_destination(const Call& call, const Communicator& communicator) {
  return call.kind != OperationKind::kReduce || communicator.rank == call.root;
}

std::size_t source_count(const Call& call, std::size_t ranks) {
  const bool of_all =
      call.kind == OperationKind::kReduceScatter || call.kind == OperationKind::kAllToAll;
  return of_all ? call.count * ranks : call.count;
}

std::size_t destination_count(const Call& call, std::size_t ranks) {
  const bool of_all =
      call.kind == OperationKind::kAllGather || call.kind == OperationKind::kAllToAll;
  return of_all ? call.count * ranks : call.count;
}

mcclResult_t check_buffers(const Call& call, const Communicator& communicator) {
  const auto ranks = static_cast<std::size_t>(communicator.ranks);
  const std::size_t size = *element_size(call.type);
  auto result = mcclSuccess;
  if (reads_source(call, communicator)) {
    result = check_buffer(call.name, "sendbuff", call.source, source_count(call, ranks) * size);
  }
  if (result == mcclSuccess && writes_destination(call, communicator)) {
    result = check_buffer(call.name, "recvbuff", call.destination,
                          destination_count(call, ranks) * size);
  }
  return result;
}

mcclResult_t check(const Call& call, Communicator& communicator, Collective& collective) {
  auto result = check_elements(call.name, call.count, call.type);
  if (result == mcclSuccess && call.count > PTRDIFF_MAX / 8 / std::size_t(communicator.ranks)) {
    result = fail(mcclInvalidArgument, "%s: %zu elements are more than memory can hold", call.name,
                  call.count);
  }
  if (result == mcclSuccess) result = check_rank(call.name, "root", call.root, communicator);
  if (result == mcclSuccess) {
    result = resolve_operator(communicator, call.op, call.type, collective.scale, call.name);
  }
  if (result == mcclSuccess) result = check_buffers(call, communicator);
  return result == mcclSuccess ? check_working(call.name, communicator) : result;
}

mcclResult_t checked(const Call& call) {
  auto communicator = find_communicator(call.comm, call.name);
  if (!communicator) return mcclInvalidArgument;
  Collective collective{
      call.kind, call.source, call.destination, call.count, call.type, call.root, {}, {}, {}, {},
      {},        {}};
  const mcclResult_t result = check(call, *communicator, collective);
  if (result != mcclSuccess) return result;
  collective.operation = collective.scale ? Operation::kPremultipliedSum
                                          : static_cast<Operation>(static_cast<int>(call.op));
  // With several ranks even an empty collective takes part: the count of another rank may differ.
  if (call.count == 0 && communicator->ranks == 1) return mcclSuccess;
  return submit(CollectiveWork{std::move(communicator), call.stream, std::move(collective)});
}

mcclResult_t collective(const Call& call) { return note(checked(call)); }

struct Table {
  const size_t* send_counts;
  const size_t* send_places;  // of all ranks: one row for each rank
  const size_t* receive_counts;
  const size_t* receive_places;
};

mcclResult_t check_span(const Call& call, const char* role, const void* buffer, std::size_t place,
                        std::size_t count) {
  if (place > PTRDIFF_MAX - count || !byte_size(place + count, call.type)) {
    return fail(mcclInvalidArgument, "%s: %zu elements at offset %zu are more than memory can hold",
                call.name, count, place);
  }
  if (count == 0) return mcclSuccess;
  if (buffer == nullptr) return check_buffer(call.name, role, buffer, count);
  const std::size_t size = *element_size(call.type);
  return check_buffer(call.name, role, static_cast<const std::byte*>(buffer) + place * size,
                      count * size);
}

mcclResult_t all_to_all_v(const Call& call, const Table& table) {
  auto communicator = find_communicator(call.comm, call.name);
  if (!communicator) return mcclInvalidArgument;
  if (!table.send_counts || !table.send_places || !table.receive_counts || !table.receive_places) {
    return fail(mcclInvalidArgument, "%s: an array of counts or displacements is null", call.name);
  }
  Collective collective{
      call.kind, call.source, call.destination, 0, call.type, kNoRoot, {}, {}, {}, {}, {}, {}};
  const std::size_t own = communicator->rank;
  const std::size_t ranks = communicator->ranks;
  auto result = check_elements(call.name, 0, call.type);
  for (std::size_t other = 0; other < ranks && result == mcclSuccess; ++other) {
    collective.send_counts.push_back(table.send_counts[other]);
    collective.send_places.push_back(table.send_places[own * ranks + other]);
    collective.receive_counts.push_back(table.receive_counts[other]);
    collective.receive_places.push_back(table.receive_places[other]);
    result = check_span(call, "sendbuff", call.source, collective.send_places.back(),
                        collective.send_counts.back());
    if (result == mcclSuccess) {
      result = check_span(call, "recvbuff", call.destination, collective.receive_places.back(),
                          collective.receive_counts.back());
    }
  }
  if (result != mcclSuccess) return result;
  if (collective.send_counts[own] != collective.receive_counts[own]) {
    return fail(mcclInvalidArgument, "%s: this rank sends itself %zu elements and expects %zu",
                call.name, collective.send_counts[own], collective.receive_counts[own]);
  }
  result = check_working(call.name, *communicator);
  if (result != mcclSuccess) return result;
  return submit(CollectiveWork{std::move(communicator), call.stream, std::move(collective)});
}

}  // namespace
}  // namespace host_mccl

using namespace host_mccl;

// The last arguments are in the order of Call: source, destination, count, type, communicator,
// stream, and the root and the operator where there are.
#define MCCL_COLLECTIVE(count, function, kind, ...) \
  HOST_ANSWER(mcclResult_t, count, function,        \
              collective({#function, OperationKind::kind, __VA_ARGS__}))
MCCL_COLLECTIVE(8, mcclReduce, kReduce, a0, a1, a2, a3, a6, a7, a5, a4)
MCCL_COLLECTIVE(6, mcclBcast, kBroadcast, a0, a0, a1, a2, a4, a5, a3)
MCCL_COLLECTIVE(7, mcclBroadcast, kBroadcast, a0, a1, a2, a3, a5, a6, a4)
MCCL_COLLECTIVE(7, mcclAllReduce, kAllReduce, a0, a1, a2, a3, a5, a6, kNoRoot, a4)
MCCL_COLLECTIVE(7, mcclReduceScatter, kReduceScatter, a0, a1, a2, a3, a5, a6, kNoRoot, a4)
MCCL_COLLECTIVE(6, mcclAllGather, kAllGather, a0, a1, a2, a3, a4, a5)
MCCL_COLLECTIVE(6, mcclAlltoAll, kAllToAll, a0, a1, a2, a3, a4, a5)

mcclResult_t mcclAllToAllv(const void* sendbuff, const size_t* sendcounts, const size_t* sdispls,
                           void* recvbuff, const size_t* recvcounts, const size_t* rdispls,
                           mcclDataType_t datatype, mcclComm_t comm, musaStream_t stream) {
  return note(all_to_all_v(
      {"mcclAllToAllv", OperationKind::kAllToAllV, sendbuff, recvbuff, 0, datatype, comm, stream},
      {sendcounts, sdispls, recvcounts, rdispls}));
}

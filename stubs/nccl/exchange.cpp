// Collectives that only move data, made of sends and receives in one group, as NCCL itself makes
// them. They move bytes, so every type works, whatever MCCL's number for it.
#include "facts.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
namespace cuda = torchada::cuda;

constexpr int kInvalidArgument = static_cast<int>(cuda::ncclInvalidArgument);

// 0 if `type` is not a type.
size_t bytes_of(int type) {
  switch (type) {
    case cuda::ncclInt8:
    case cuda::ncclUint8:
    case cuda::ncclFloat8e4m3:
    case cuda::ncclFloat8e5m2:
      return 1;
    case cuda::ncclFloat16:
    case cuda::ncclBfloat16:
      return 2;
    case cuda::ncclInt32:
    case cuda::ncclUint32:
    case cuda::ncclFloat32:
      return 4;
    case cuda::ncclInt64:
    case cuda::ncclUint64:
    case cuda::ncclFloat64:
      return 8;
    default:
      return 0;
  }
}

// Memory in equal parts, one for each rank, and one group of sends and receives.
class Exchange {
 public:
  // Returns 0, or what the caller returns.
  int prepare(size_t count, int type, int root, void* communicator, void* stream) {
    if (!communicator) return fail(kInvalidArgument);
    const size_t size = bytes_of(type);
    if (size == 0) return fail(kInvalidArgument);
    communicator_ = communicator;
    stream_ = stream;
    if (const int status = mcclCommCount(communicator, &ranks_)) return status;
    if (const int status = mcclCommUserRank(communicator, &rank_)) return status;
    if (root < 0 || root >= ranks_) return fail(kInvalidArgument);
    size_t all = 0;
    if (__builtin_mul_overflow(count, size, &part_) ||
        __builtin_mul_overflow(part_, static_cast<size_t>(ranks_), &all)) {
      return fail(kInvalidArgument);
    }
    return 0;
  }
  bool is_empty() const { return part_ == 0; }
  int ranks() const { return ranks_; }
  int rank() const { return rank_; }

  int begin() { return mcclGroupStart(); }
  void send(const void* memory, int part, int to) {
    const char* at = static_cast<const char*>(memory) + static_cast<size_t>(part) * part_;
    keep(mcclSend(at, part_, torchada::musa::mcclInt8, to, communicator_, stream_));
  }
  void receive(void* memory, int part, int from) {
    char* at = static_cast<char*>(memory) + static_cast<size_t>(part) * part_;
    keep(mcclRecv(at, part_, torchada::musa::mcclInt8, from, communicator_, stream_));
  }
  // Called after a failure too, or the group would stay open.
  int end() {
    const int ended = mcclGroupEnd();
    return failed_ != 0 ? failed_ : ended;
  }

 private:
  void keep(int status) {
    if (failed_ == 0) failed_ = status;
  }

  void* communicator_ = nullptr;
  void* stream_ = nullptr;
  size_t part_ = 0;  // Bytes.
  int ranks_ = 0, rank_ = 0;
  int failed_ = 0;
};

}  // namespace

extern "C" {

int torchada_adapter_ncclAlltoAll(const void* send, void* receive, size_t count, int type,
                                  void* communicator, void* stream) {
  Exchange exchange;
  if (const int status = exchange.prepare(count, type, 0, communicator, stream)) return status;
  if (exchange.is_empty()) return 0;
  if (!send || !receive) return fail(kInvalidArgument);
  if (const int status = exchange.begin()) return status;
  for (int rank = 0; rank < exchange.ranks(); ++rank) {
    exchange.send(send, rank, rank);
    exchange.receive(receive, rank, rank);
  }
  return exchange.end();
}

int torchada_adapter_ncclGather(const void* send, void* receive, size_t count, int type, int root,
                                void* communicator, void* stream) {
  Exchange exchange;
  if (const int status = exchange.prepare(count, type, root, communicator, stream)) return status;
  if (exchange.is_empty()) return 0;
  const bool collects = exchange.rank() == root;
  if (!send || (collects && !receive)) return fail(kInvalidArgument);
  if (const int status = exchange.begin()) return status;
  exchange.send(send, 0, root);
  for (int rank = 0; collects && rank < exchange.ranks(); ++rank) {
    exchange.receive(receive, rank, rank);
  }
  return exchange.end();
}

int torchada_adapter_ncclScatter(const void* send, void* receive, size_t count, int type, int root,
                                 void* communicator, void* stream) {
  Exchange exchange;
  if (const int status = exchange.prepare(count, type, root, communicator, stream)) return status;
  if (exchange.is_empty()) return 0;
  const bool gives = exchange.rank() == root;
  if (!receive || (gives && !send)) return fail(kInvalidArgument);
  if (const int status = exchange.begin()) return status;
  for (int rank = 0; gives && rank < exchange.ranks(); ++rank) exchange.send(send, rank, rank);
  exchange.receive(receive, 0, root);
  return exchange.end();
}

}  // extern "C"

#include "src/host/mccl/announcement.h"

namespace host_mccl {
namespace {

const char* name_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kAllReduce:
      return "AllReduce";
    case OperationKind::kBroadcast:
      return "Broadcast";
    case OperationKind::kReduce:
      return "Reduce";
    case OperationKind::kAllGather:
      return "AllGather";
    case OperationKind::kReduceScatter:
      return "ReduceScatter";
    case OperationKind::kAllToAll:
      return "AlltoAll";
    case OperationKind::kAllToAllV:
      return "AllToAllv";
    case OperationKind::kTransfer:
      return "Send or Recv";
    default:
      return "an unknown operation";
  }
}

}  // namespace

bool agree(const Announcement& left, const Announcement& right) {
  return left.kind == right.kind && left.type == right.type && left.sequence == right.sequence &&
         left.count == right.count && left.operation == right.operation && left.root == right.root;
}

std::string text_of(const Announcement& announcement) {
  return std::string(name_of(announcement.kind)) + " number " +
         std::to_string(announcement.sequence) + " of " + std::to_string(announcement.count) +
         " elements, type " + std::to_string(announcement.type) + ", operator " +
         std::to_string(announcement.operation) + ", root " + std::to_string(announcement.root);
}

}  // namespace host_mccl

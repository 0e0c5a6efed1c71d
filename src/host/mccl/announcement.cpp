#include "src/host/mccl/announcement.h"

#include <iterator>

namespace host_mccl {
namespace {

// In the order of OperationKind, which starts at 1.
constexpr const char* kNames[] = {
    "an unknown operation", "AllReduce", "Broadcast", "Reduce",      "AllGather",
    "ReduceScatter",        "AlltoAll",  "AllToAllv", "Send or Recv"};

const char* name_of(OperationKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  return kNames[number < std::size(kNames) ? number : 0];
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

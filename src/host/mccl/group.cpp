#include "group.h"

#include <utility>
#include <vector>

#include "errors.h"
#include "transfer.h"

namespace host_mccl {
namespace {

struct Launch {
  Movement movement;
  musaStream_t stream;
};

struct Group {
  int depth = 0;
  mcclResult_t first_error = mcclSuccess;
  std::vector<Launch> launches;
  std::vector<Endpoint> sends;
  std::vector<Endpoint> receives;
};

Group& this_threads_group() {
  thread_local Group group;
  return group;
}

// The n-th send of a communicator meets its n-th receive. Nothing starts unless all of them match.
mcclResult_t match(Group& group, std::vector<Transfer>& transfers) {
  for (const Endpoint& send : group.sends) {
    auto receive = group.receives.begin();
    while (receive != group.receives.end() && receive->communicator != send.communicator) ++receive;
    if (receive == group.receives.end()) {
      return fail(mcclInvalidUsage, "a send to this rank has no receive in the same group");
    }
    if (receive->bytes != send.bytes) {
      return fail(mcclInvalidUsage, "a send of %zu bytes meets a receive of %zu bytes", send.bytes,
                  receive->bytes);
    }
    transfers.push_back({send, *receive});
    group.receives.erase(receive);
  }
  if (group.receives.empty()) return mcclSuccess;
  return fail(mcclInvalidUsage, "a receive from this rank has no send in the same group");
}

mcclResult_t finish(Group& group) {
  if (group.first_error != mcclSuccess) return group.first_error;
  std::vector<Transfer> transfers;
  mcclResult_t result = match(group, transfers);
  for (const Launch& work : group.launches) {
    if (result == mcclSuccess) result = launch(work.movement, work.stream);
  }
  for (const Transfer& transfer : transfers) {
    if (result == mcclSuccess) result = launch(transfer);
  }
  return result;
}

mcclResult_t submit_endpoint(std::vector<Endpoint> Group::*side, const Endpoint& endpoint) {
  // A call on its own is a group of one, which shows that its counterpart is missing.
  mcclGroupStart();
  (this_threads_group().*side).push_back(endpoint);
  return mcclGroupEnd();
}

}  // namespace

mcclResult_t submit(const Movement& movement, musaStream_t stream) {
  auto& group = this_threads_group();
  if (group.depth == 0) return launch(movement, stream);
  group.launches.push_back({movement, stream});
  return mcclSuccess;
}

mcclResult_t submit_send(const Endpoint& endpoint) {
  return submit_endpoint(&Group::sends, endpoint);
}

mcclResult_t submit_receive(const Endpoint& endpoint) {
  return submit_endpoint(&Group::receives, endpoint);
}

mcclResult_t note(mcclResult_t result) {
  auto& group = this_threads_group();
  if (group.depth > 0 && group.first_error == mcclSuccess) group.first_error = result;
  return result;
}

}  // namespace host_mccl

using namespace host_mccl;

extern "C" {

mcclResult_t mcclGroupStart(void) {
  ++this_threads_group().depth;
  return mcclSuccess;
}

mcclResult_t mcclGroupEnd(void) {
  auto& group = this_threads_group();
  if (group.depth == 0) {
    return fail(mcclInvalidUsage, "mcclGroupEnd without mcclGroupStart");
  }
  if (group.depth > 1) {
    --group.depth;
    return mcclSuccess;
  }
  Group ended = std::exchange(group, {});
  return finish(ended);
}

}  // extern "C"

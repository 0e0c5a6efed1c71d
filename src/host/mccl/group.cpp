#include "src/host/mccl/group.h"

#include <future>
#include <utility>
#include <vector>

#include "src/host/mccl/batch.h"
#include "src/host/mccl/errors.h"
#include "src/host/mccl/own_transfer.h"
#include "src/host/mccl/threads.h"

namespace host_mccl {
namespace {

struct Group {
  int depth = 0;
  mcclResult_t first_error = mcclSuccess;
  std::vector<std::function<mcclResult_t()>> makings;
  std::vector<CollectiveWork> collectives;
  std::vector<TransferWork> transfers;
};

Group& this_threads_group() {
  thread_local Group group;
  return group;
}

mcclResult_t finish(Group& group) {
  if (group.first_error != mcclSuccess) return group.first_error;
  const mcclResult_t made = run_together(group.makings);
  if (made != mcclSuccess && made != mcclInProgress) return made;
  std::vector<OwnTransfer> own;
  mcclResult_t result = take_own_transfers(group.transfers, own);
  // Nothing starts unless all sends and receives to this rank itself match.
  if (result == mcclSuccess) result = launch(group.collectives, group.transfers);
  for (const OwnTransfer& transfer : own) {
    if (result == mcclSuccess) result = launch(transfer);
  }
  return result == mcclSuccess ? made : result;
}

template <typename Work>
mcclResult_t keep(std::vector<Work> Group::*list, Work work) {
  // A call outside a group is a group of one.
  mcclGroupStart();
  (this_threads_group().*list).push_back(std::move(work));
  return mcclGroupEnd();
}

}  // namespace

mcclResult_t submit(CollectiveWork work) { return keep(&Group::collectives, std::move(work)); }
mcclResult_t submit(TransferWork work) { return keep(&Group::transfers, std::move(work)); }
mcclResult_t submit(std::function<mcclResult_t()> making) {
  return keep(&Group::makings, std::move(making));
}

mcclResult_t note(mcclResult_t result) {
  auto& group = this_threads_group();
  if (group.depth > 0 && group.first_error == mcclSuccess) group.first_error = result;
  return result;
}

mcclResult_t run_together(const std::vector<std::function<mcclResult_t()>>& works) {
  if (works.size() == 1) return works[0]();
  std::vector<mcclResult_t> results(works.size(), mcclSystemError);
  std::vector<std::thread> threads;
  threads.reserve(works.size());
  // None begins unless all can: a rank would wait for one that never comes.
  enum class Order { kGo, kLeave };
  std::promise<Order> order;  // gcc 10's library has no std::atomic::wait.
  const std::shared_future<Order> told = order.get_future();
  Order given = Order::kGo;
  for (std::size_t i = 0; i < works.size() && given == Order::kGo; ++i) {
    threads.push_back(quiet_thread("mccl-init", [&, told, i] {
      if (told.get() == Order::kGo) results[i] = works[i]();
    }));
    if (!threads.back().joinable()) given = Order::kLeave;
  }
  order.set_value(given);
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
  if (given == Order::kLeave) {
    return fail(mcclSystemError, "mcclGroupEnd: cannot start a thread for each rank");
  }
  mcclResult_t all = mcclSuccess;
  for (const mcclResult_t result : results) {
    if (result == mcclInProgress) all = result;
    if (result != mcclSuccess && result != mcclInProgress) return result;
  }
  return all;
}

}  // namespace host_mccl

using namespace host_mccl;

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

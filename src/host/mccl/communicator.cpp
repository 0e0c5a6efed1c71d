#include "src/host/mccl/communicator.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/meeting.h"
#include "src/host/mccl/threads.h"
#include "src/host/mccl/watch.h"

namespace host_mccl {
namespace {

// What a rank tells the others. A result follows.
constexpr char kLeaving = 'L';
constexpr char kFailed = 'F';

}  // namespace

Communicator::~Communicator() {
  for (const auto& peer : peers_) {
    if (peer && peer->control) per_process<Watch>().remove(peer->control.get());
  }
}

mcclResult_t Communicator::connect(const UniqueId& id, const char* caller) {
  Meeting meeting;
  {
    const std::lock_guard lock(connecting_mutex_);
    meeting_ = &meeting;
    if (aborted_) meeting.cancel();
  }
  mcclResult_t result = find_others(meeting, id, caller);
  const std::lock_guard lock(connecting_mutex_);
  meeting_ = nullptr;
  if (result != mcclSuccess) {
    end_operations(result);
  } else if (aborted_) {
    result = remote_error();
    break_down(result);
  }
  connecting_ = false;
  // All ranks have met, so this call succeeds. If another rank has failed since, later calls report
  // it.
  return result;
}

mcclResult_t Communicator::find_others(Meeting& meeting, const UniqueId& id, const char* caller) {
  mcclResult_t result = meeting.meet(id, ranks, rank, caller);
  if (result != mcclSuccess) return result;
  peers_.resize(ranks);
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) continue;
    peers_[other] = std::make_unique<Peer>();
    peers_[other]->rank = other;
  }
  result = share_memory(meeting, caller);
  if (result == mcclSuccess) result = meeting.finish(caller);
  if (result != mcclSuccess) return result;
  for (int other = 0; other < ranks; ++other) {
    if (other != rank) peers_[other]->control = std::move(meeting.to(other));
  }
  if (watch_peers()) return mcclSuccess;
  return fail(mcclSystemError, "%s: cannot watch the other ranks: %s", caller,
              std::strerror(errno));
}

mcclResult_t Communicator::share_memory(Meeting& meeting, const char* caller) {
  if (ranks == 1) return mcclSuccess;
  if (!segment_.open(meeting.memory().get(), ranks)) {
    return fail(mcclSystemError, "%s: cannot map shared memory: %s", caller, std::strerror(errno));
  }
  event_ = &segment_.event(rank);
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) continue;
    for (int kind = 0; kind < kChannelKinds; ++kind) {
      const auto channel = static_cast<ChannelKind>(kind);
      peers_[other]->channels[kind] = {segment_.ring(channel, rank, other),
                                       segment_.ring(channel, other, rank)};
    }
  }
  return mcclSuccess;
}

bool Communicator::watch_peers() {
  auto& watch = per_process<Watch>();
  for (const auto& peer : peers_) {
    if (!peer) continue;
    if (!watch.add(peer->control.get(), [this, &each = *peer] { return hear(each); })) return false;
  }
  return true;
}

bool Communicator::hear(Peer& peer) {
  std::array<char, 2> words{};
  const ssize_t got = recv(peer.control.get(), words.data(), words.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got == 2 && words[0] == kFailed) {
    const auto why = static_cast<mcclResult_t>(words[1]);
    if (failure() == mcclSuccess) {
      fail(why, "rank %d failed: %s", peer.rank, mcclGetErrorString(why));
    }
    // Pass the reason on before this rank ends, so that the others see the reason first.
    break_down(why);
    return true;
  }
  const bool said_goodbye = got == 2 && words[0] == kLeaving;
  // If something else failed before, the rank that noticed is about to report it.
  if (!said_goodbye && failure() == mcclSuccess) {
    fail(remote_error(), "rank %d died", peer.rank);
    mcclResult_t none = mcclSuccess;
    async_error_.compare_exchange_strong(none, remote_error());
  }
  peer.gone = true;
  event_->signal();
  return false;
}

void Communicator::tell(char what, mcclResult_t why) {
  const std::array<char, 2> words{what, static_cast<char>(why)};
  for (const auto& peer : peers_) {
    if (!peer || !peer->control) continue;
    static_cast<void>(
        send(peer->control.get(), words.data(), words.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }
}

void Communicator::end_operations(mcclResult_t why) {
  mcclResult_t none = mcclSuccess;
  failure_.compare_exchange_strong(none, why);
  none = mcclSuccess;
  async_error_.compare_exchange_strong(none, why);
  event_->signal();
}

void Communicator::break_down(mcclResult_t why) {
  mcclResult_t none = mcclSuccess;
  if (!failure_.compare_exchange_strong(none, why)) return;
  tell(kFailed, why);
  end_operations(why);
}

void Communicator::miss(const Peer& peer) {
  if (failure() != mcclSuccess) return;
  break_down(fail(remote_error(), "rank %d has ended", peer.rank));
}

void Communicator::leave() {
  work->wait_unless([this] { return failure() != mcclSuccess; });
  if (failure() == mcclSuccess) tell(kLeaving, mcclSuccess);
}

// To the others this rank looks dead.
void Communicator::abort() {
  {
    const std::lock_guard lock(connecting_mutex_);
    aborted_ = true;
    if (meeting_ != nullptr) meeting_->cancel();
    if (connecting_) return;  // the connecting thread does the rest
  }
  break_down(remote_error());
}

}  // namespace host_mccl

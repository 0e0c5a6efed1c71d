#include "src/host/mccl/communicator.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/meeting.h"
#include "src/host/mccl/threads.h"
#include "src/host/mccl/watch.h"

namespace host_mccl {
namespace {

// What a rank tells the others. A result follows.
constexpr char kLeaving = 'L';
constexpr char kFailed = 'F';

// A goodbye and the end of a connection arrive at almost the same time. Scheduling may separate
// them by up to this.
constexpr std::chrono::seconds kTogether{1};

// Checks the condition in every step. Counts the steps it slept, not the time that passed.
template <typename Condition>
void wait_for(std::chrono::milliseconds time, std::chrono::milliseconds step,
              const Condition& is_so) {
  for (auto waited = 0 * step; waited < time && !is_so(); waited += step) {
    std::this_thread::sleep_for(step);
  }
}

constexpr std::chrono::milliseconds kStep{10};

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
  if (result == mcclSuccess) result = reach_other_hosts(meeting, caller);
  if (result == mcclSuccess) result = meeting.finish(caller);
  if (result != mcclSuccess) return result;
  for (int other = 0; other < ranks; ++other) {
    if (other != rank) peers_[other]->control = std::move(meeting.to(other));
  }
  if (watch_peers()) return mcclSuccess;
  return fail(mcclSystemError, "%s: cannot watch the other ranks: %s", caller,
              std::strerror(errno));
}

// The first rank of a host makes the memory and hands it to the others.
mcclResult_t Communicator::share_memory(Meeting& meeting, const char* caller) {
  std::vector<int> here;
  int place = 0;
  for (int other = 0; other < ranks; ++other) {
    if (!meeting.same_host(other)) continue;
    if (other == rank) place = static_cast<int>(here.size());
    here.push_back(other);
  }
  const int count = static_cast<int>(here.size());
  if (count == 1) return mcclSuccess;
  int descriptor = -1;
  if (place == 0) {
    descriptor = SharedSegment::create(count);
    for (const int other : here) {
      if (other != rank && descriptor >= 0) {
        static_cast<void>(send_descriptor(meeting.to(other), descriptor));
      }
    }
  } else {
    const bool is_there = meeting.await(meeting.to(here[0]));
    if (is_there) descriptor = receive_descriptor(meeting.to(here[0]));
    if (descriptor < 0) return fail(remote_error(), "%s: another rank has ended", caller);
  }
  const bool opened = descriptor >= 0 && segment_.open(descriptor, count);
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (!opened) {
    return fail(mcclSystemError, "%s: cannot create shared memory: %s", caller,
                std::strerror(error));
  }
  event_ = &segment_.event(place);
  for (int i = 0; i < count; ++i) {
    if (i == place) continue;
    for (int kind = 0; kind < kChannelKinds; ++kind) {
      const auto channel = static_cast<ChannelKind>(kind);
      peers_[here[i]]->channels[kind] = {segment_.ring(channel, place, i),
                                         segment_.ring(channel, i, place)};
    }
  }
  return mcclSuccess;
}

mcclResult_t Communicator::reach_other_hosts(Meeting& meeting, const char* caller) {
  for (int other = 0; other < ranks; ++other) {
    if (other == rank || meeting.same_host(other)) continue;
    Peer& peer = *peers_[other];
    peer.remote = std::make_unique<RemoteLink>(std::move(meeting.data_to(other)), *event_);
    for (int kind = 0; kind < kChannelKinds; ++kind) {
      peer.channels[kind] = peer.remote->channel(static_cast<ChannelKind>(kind));
    }
    if (!peer.remote->start(kCollective)) {
      return fail(mcclSystemError, "%s: cannot start a thread", caller);
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
  if (said_goodbye) peer.left = true;
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
  // Between hosts, data and control use separate connections. If the rank ended for a reason, the
  // reason is on its way.
  wait_for(kTogether, kStep, [&] { return peer.remote == nullptr || failure() != mcclSuccess; });
  if (failure() != mcclSuccess) return;
  break_down(fail(remote_error(), "rank %d has ended", peer.rank));
}

bool Communicator::has_left(const Peer& peer) {
  wait_for(kTogether, kStep, [&] { return peer.left || failure() != mcclSuccess; });
  return peer.left;
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

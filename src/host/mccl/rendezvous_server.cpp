#include "src/host/mccl/rendezvous_server.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/shared_segment.h"
#include "src/host/mccl/threads.h"

namespace host_mccl {
namespace {

// A rank that reads nothing for this long, although it knows the id, does not stop the others.
constexpr int kSendingSeconds = 20;

bool answer(const Socket& socket, Verdict verdict) {
  const Answer sent{kMessageMagic, verdict, 0};
  return send_all(socket, &sent, sizeof sent);
}

// For a rank that may be gone: its connection says so.
void tell(const Socket& socket, char what) { static_cast<void>(send_all(socket, &what, 1)); }

}  // namespace

mcclResult_t RendezvousServer::open(UniqueId& id, const char* caller) {
  const std::lock_guard lock(mutex_);
  if (!started_ && !start()) {
    return fail(mcclSystemError, "%s: cannot wait for ranks: %s", caller, std::strerror(errno));
  }
  id.server = name_;
  meetings_[id.token];
  return mcclSuccess;
}

bool RendezvousServer::start() {
  if (getentropy(&name_, sizeof name_) != 0) return false;
  listener_ = listen_at(server_name(name_));
  if (!listener_) return false;
  std::thread thread = quiet_thread("mccl-rendezvous", [this] { serve(); });
  if (!thread.joinable()) return false;
  thread.detach();
  started_ = true;
  return true;
}

void RendezvousServer::serve() {
  while (true) {
    std::vector<pollfd> waited{{listener_.get(), POLLIN, 0}};
    for (const Guest& guest : guests_) waited.push_back({guest.socket.get(), POLLIN, 0});
    if (poll(waited.data(), waited.size(), -1) < 0) continue;
    const std::lock_guard lock(mutex_);
    const pollfd* of_guest = &waited[1];
    for (Guest& guest : guests_) {
      if ((of_guest++)->revents != 0) read_from(guest);
    }
    guests_.remove_if([](const Guest& each) { return each.leaving; });
    if (waited[0].revents != 0 && !accept_some()) return give_up();
  }
}

bool RendezvousServer::accept_some() {
  while (true) {
    Socket accepted = accept_from(listener_);
    if (!accepted && errno == EAGAIN) return true;
    if (!accepted && errno != ECONNABORTED && errno != EINTR) return false;
    if (!accepted || !is_of_allowed_user(accepted)) continue;
    limit_sending(accepted, kSendingSeconds);
    Guest& guest = guests_.emplace_back();
    guest.is_own = is_of_this_process(accepted);
    guest.socket = std::move(accepted);
  }
}

// Never waits: anybody of this user may have connected.
void RendezvousServer::read_from(Guest& guest) {
  if (guest.leaving) return;
  char byte = 0;
  char* const to = guest.admitted ? &byte : reinterpret_cast<char*>(&guest.claim) + guest.received;
  const std::size_t most = guest.admitted ? 1 : sizeof guest.claim - guest.received;
  const ssize_t got = recv(guest.socket.get(), to, most, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (!guest.admitted && got > 0) {
    guest.received += static_cast<std::size_t>(got);
    if (guest.received == sizeof guest.claim) admit(guest);
    return;
  }
  const auto found = meetings_.find(guest.claim.token);
  guest.leaving = !guest.admitted || found == meetings_.end();
  if (guest.leaving) return;
  if (got == 1 && byte == kConnected) {
    note_connected(guest, found->second);
  } else {
    note_leaving(guest, found->second);
  }
}

void RendezvousServer::admit(Guest& guest) {
  const Claim& claim = guest.claim;
  const auto refuse = [&](Verdict verdict) {
    static_cast<void>(answer(guest.socket, verdict));
    guest.leaving = true;
  };
  const auto found = meetings_.find(claim.token);
  if (claim.magic != kMessageMagic || found == meetings_.end()) return refuse(Verdict::kUnknownId);
  Meeting& meeting = found->second;
  if (meeting.ranks == 0) meeting.ranks = claim.ranks;
  // The others would wait for a rank that never comes, unless all are there already.
  if (claim.ranks != meeting.ranks) {
    refuse(Verdict::kOtherNumberOfRanks);
    if (!meeting.complete) dissolve(claim.token, Verdict::kRanksDisagree, &guest);
    return;
  }
  if (claim.rank < 0 || claim.rank >= meeting.ranks ||
      !meeting.guests.emplace(claim.rank, &guest).second) {
    refuse(Verdict::kRankTaken);
    if (!meeting.complete) dissolve(claim.token, Verdict::kRankTwice, &guest);
    return;
  }
  guest.admitted = true;
  if (meeting.guests.size() < static_cast<std::size_t>(meeting.ranks)) return;
  connect_all(meeting);
  for (const auto& [rank, each] : meeting.guests) {
    if (each->leaving) return dissolve(claim.token, Verdict::kRankGone, each);
  }
}

// Gives all the same memory, and each two the ends of a connection.
void RendezvousServer::connect_all(Meeting& meeting) {
  const auto give = [](Guest& guest, int descriptor) {
    if (guest.leaving) return;
    guest.leaving = !send_descriptor(guest.socket, kDescriptor, descriptor);
  };
  meeting.complete = true;
  for (const auto& [rank, each] : meeting.guests) {
    if (!answer(each->socket, Verdict::kWelcome)) each->leaving = true;
  }
  if (meeting.ranks == 1) return;
  const Socket memory(SharedSegment::create(meeting.ranks));
  bool starved = !memory;
  for (const auto& [rank, each] : meeting.guests) {
    if (!starved) give(*each, memory.get());
  }
  for (auto left = meeting.guests.begin(); left != meeting.guests.end() && !starved; ++left) {
    for (auto right = std::next(left); right != meeting.guests.end() && !starved; ++right) {
      const auto [first, second] = connected_pair();
      starved = !second;
      if (starved) break;
      give(*left->second, first.get());
      give(*right->second, second.get());
    }
  }
  for (const auto& [rank, each] : meeting.guests) {
    if (starved) tell(each->socket, kStarved);
  }
}

// The process of this thread may end as soon as its own ranks go on. So they wait until the others
// have closed their connections, which says that they know.
void RendezvousServer::note_connected(Guest& guest, Meeting& meeting) {
  guest.connected = true;
  for (const auto& [rank, each] : meeting.guests) {
    if (!each->connected) return;
  }
  meeting.begun = true;
  for (const auto& [rank, each] : meeting.guests) {
    if (!each->is_own) tell(each->socket, kBegin);
  }
  release_own(guest.claim.token);
}

// A rank that went away before all have begun never comes back, so the others must not wait for it.
void RendezvousServer::note_leaving(Guest& guest, Meeting& meeting) {
  guest.leaving = true;
  if (!meeting.begun) return dissolve(guest.claim.token, Verdict::kRankGone, &guest);
  meeting.guests.erase(guest.claim.rank);
  release_own(guest.claim.token);
}

void RendezvousServer::release_own(const Token& token) {
  const Meeting& meeting = meetings_[token];
  for (const auto& [rank, each] : meeting.guests) {
    if (!each->is_own) return;
  }
  for (const auto& [rank, each] : meeting.guests) {
    tell(each->socket, kBegin);
    each->leaving = true;
  }
  meetings_.erase(token);
}

// Ends a meeting that cannot succeed, and tells its guests.
void RendezvousServer::dissolve(Token token, Verdict why, const Guest* except) {
  const Meeting& meeting = meetings_[token];
  for (const auto& [rank, each] : meeting.guests) {
    if (each == except) continue;
    if (!meeting.complete) {
      static_cast<void>(answer(each->socket, why));
    } else {
      tell(each->socket, meeting.begun ? kBegin : kBroken);
    }
    each->leaving = true;
  }
  meetings_.erase(token);
}

// Ranks that wait to be let in are refused when nobody listens any more. The next id starts anew.
void RendezvousServer::give_up() {
  while (!meetings_.empty()) {
    dissolve(meetings_.begin()->first, Verdict::kNoDescriptor, nullptr);
  }
  guests_.clear();
  listener_ = {};
  started_ = false;
}

}  // namespace host_mccl

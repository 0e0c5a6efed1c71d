#include "src/host/mccl/rendezvous_server.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/threads.h"

namespace host_mccl {

mcclResult_t RendezvousServer::open(UniqueId& id, const char* caller) {
  const std::lock_guard lock(mutex_);
  if (!started_ && !start()) {
    return fail(mcclSystemError, "%s: cannot wait for ranks: %s", caller, std::strerror(errno));
  }
  id.server = name_;
  id.address = address_;
  meetings_[id.token];
  return mcclSuccess;
}

bool RendezvousServer::start() {
  if (getentropy(&name_, sizeof name_) != 0) return false;
  local_ = listen_at(server_name(name_));
  if (!local_) return false;
  address_ = own_address();
  net_ = listen_at(address_);
  if (!net_) address_ = {};
  std::thread thread = quiet_thread("mccl-rendezvous", [this] { serve(); });
  if (!thread.joinable()) return false;
  thread.detach();
  started_ = true;
  return true;
}

void RendezvousServer::serve() {
  while (true) {
    std::vector<pollfd> waited = {{local_.get(), POLLIN, 0}, {net_.get(), POLLIN, 0}};
    for (const Guest& guest : guests_) waited.push_back({guest.socket.get(), POLLIN, 0});
    if (poll(waited.data(), waited.size(), -1) < 0) continue;
    const std::lock_guard lock(mutex_);
    auto guest = guests_.begin();
    for (std::size_t i = 2; i < waited.size(); ++i, ++guest) {
      if (waited[i].revents != 0) read_from(*guest);
    }
    guests_.remove_if([](const Guest& each) { return each.leaving; });
    for (std::size_t i = 0; i < 2; ++i) {
      if (waited[i].revents == 0) continue;
      Socket accepted = accept_from(i == 0 ? local_ : net_);
      if (accepted) guests_.emplace_back().socket = std::move(accepted);
    }
  }
}

void RendezvousServer::read_from(Guest& guest) {
  if (guest.leaving) return;
  if (guest.received < sizeof guest.hello) {
    auto* const bytes = reinterpret_cast<char*>(&guest.hello);
    const ssize_t got = recv(guest.socket.get(), bytes + guest.received,
                             sizeof guest.hello - guest.received, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      guest.leaving = true;
      return;
    }
    guest.received += static_cast<std::size_t>(got);
    if (guest.received == sizeof guest.hello) admit(guest);
    return;
  }
  char byte = 0;
  const ssize_t got = recv(guest.socket.get(), &byte, 1, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got == 1 && byte == kConnected) return note_connected(guest);
  const auto meeting = meetings_.find(guest.hello.token);
  guest.leaving = true;
  if (meeting != meetings_.end()) break_up(meeting->second, &guest);
}

void RendezvousServer::answer(Guest& guest, Verdict verdict) {
  const Answer sent{kHelloMagic, verdict, 0};
  if (!send_all(guest.socket, &sent, sizeof sent)) guest.leaving = true;
  if (verdict != Verdict::kWelcome) guest.leaving = true;
}

void RendezvousServer::admit(Guest& guest) {
  const Hello& hello = guest.hello;
  const auto found = meetings_.find(hello.token);
  if (hello.magic != kHelloMagic || found == meetings_.end()) {
    return answer(guest, Verdict::kUnknownId);
  }
  Meeting& meeting = found->second;
  if (meeting.ranks == 0) meeting.ranks = hello.ranks;
  if (hello.ranks != meeting.ranks) return answer(guest, Verdict::kOtherNumberOfRanks);
  if (hello.rank < 0 || hello.rank >= meeting.ranks ||
      !meeting.guests.emplace(hello.rank, &guest).second) {
    return answer(guest, Verdict::kRankTaken);
  }
  guest.admitted = true;
  if (meeting.guests.size() < static_cast<std::size_t>(meeting.ranks)) return;
  std::vector<Entry> table;
  for (const auto& [rank, each] : meeting.guests) table.push_back(each->hello.entry);
  meeting.table_sent = true;
  for (const auto& [rank, each] : meeting.guests) {
    answer(*each, Verdict::kWelcome);
    if (!send_all(each->socket, table.data(), table.size() * sizeof(Entry))) each->leaving = true;
  }
  for (const auto& [rank, each] : meeting.guests) {
    if (each->leaving) return break_up(meeting, each);
  }
}

void RendezvousServer::note_connected(Guest& guest) {
  const auto found = meetings_.find(guest.hello.token);
  if (found == meetings_.end()) return;
  guest.connected = true;
  for (const auto& [rank, each] : found->second.guests) {
    if (!each->connected) return;
  }
  for (const auto& [rank, each] : found->second.guests) {
    static_cast<void>(send_all(each->socket, &kBegin, 1));
    each->leaving = true;
  }
  meetings_.erase(found);
}

// A rank that went away never comes back, so the others must not wait for it.
void RendezvousServer::break_up(Meeting& meeting, const Guest* who) {
  if (!who->admitted) return;
  for (const auto& [rank, each] : meeting.guests) {
    if (each == who) continue;
    if (meeting.table_sent) {
      static_cast<void>(send_all(each->socket, &kBroken, 1));
      each->leaving = true;
    } else {
      answer(*each, Verdict::kRankGone);
    }
  }
  meetings_.erase(who->hello.token);
}

}  // namespace host_mccl

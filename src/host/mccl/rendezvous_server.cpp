#include "src/host/mccl/rendezvous_server.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/threads.h"

namespace host_mccl {
namespace {

// A rank that reads nothing for this long, although it knows the id, does not stop the others.
constexpr int kSendingSeconds = 20;

}  // namespace

mcclResult_t RendezvousServer::open(UniqueId& id, const char* caller) {
  const std::lock_guard lock(mutex_);
  if (!started_ && !start()) {
    return fail(mcclSystemError, "%s: cannot wait for ranks: %s", caller, std::strerror(errno));
  }
  id.server = name_;
  id.address = address_;
  meetings_[id.token].secret = id.secret;
  return mcclSuccess;
}

bool RendezvousServer::start() {
  if (!fill_randomly(&name_, sizeof name_)) return false;
  Socket local = listen_at(server_name(name_));
  if (!local) return false;
  address_ = own_address();
  Socket net = listen_at(address_);
  if (!net) address_ = {};
  gate_.close();  // an earlier start may have found no thread
  gate_.listen(std::move(local));
  gate_.listen(std::move(net));
  std::thread thread = quiet_thread("mccl-rendezvous", [this] { serve(); });
  if (!thread.joinable()) return false;
  thread.detach();
  started_ = true;
  return true;
}

void RendezvousServer::serve() {
  const auto secret_of = [this](const Token& token) -> const Secret* {
    const auto found = meetings_.find(token);
    return found == meetings_.end() ? nullptr : &found->second.secret;
  };
  const auto enter = [this](Socket socket, const Claim& claim) {
    let_in(std::move(socket), claim);
  };
  while (true) {
    std::vector<pollfd> waited;
    const int time = gate_.add_to(waited);
    const std::size_t of_gate = waited.size();
    for (const Guest& guest : guests_) waited.push_back({guest.socket.get(), POLLIN, 0});
    if (poll(waited.data(), waited.size(), time) < 0) continue;
    const std::lock_guard lock(mutex_);
    auto guest = guests_.begin();
    for (std::size_t i = of_gate; i < waited.size(); ++i, ++guest) {
      if (waited[i].revents != 0) read_from(*guest);
    }
    gate_.work(waited.data(), secret_of, enter);
    guests_.remove_if([](const Guest& each) { return each.leaving; });
    if (gate_.starves()) return give_up();
  }
}

void RendezvousServer::let_in(Socket socket, const Claim& claim) {
  if (claim.purpose != Purpose::kMeeting) return;
  limit_sending(socket, kSendingSeconds);
  Guest& guest = guests_.emplace_back();
  guest.is_own = is_of_this_process(socket);
  guest.socket = std::move(socket);
  guest.claim = claim;
  admit(guest);
}

void RendezvousServer::read_from(Guest& guest) {
  if (guest.leaving) return;
  char byte = 0;
  const ssize_t got = recv(guest.socket.get(), &byte, 1, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  const auto found = meetings_.find(guest.claim.token);
  guest.leaving = found == meetings_.end();
  if (guest.leaving) return;
  if (got == 1 && byte == kConnected) {
    note_connected(guest, found->second);
  } else {
    note_leaving(guest, found->second);
  }
}

void RendezvousServer::answer(Guest& guest, Verdict verdict) {
  const Answer sent{kMessageMagic, verdict, 0};
  if (!send_all(guest.socket, &sent, sizeof sent)) guest.leaving = true;
  if (verdict != Verdict::kWelcome) guest.leaving = true;
}

void RendezvousServer::admit(Guest& guest) {
  const Claim& claim = guest.claim;
  Meeting& meeting = meetings_[claim.token];
  if (meeting.ranks == 0) meeting.ranks = claim.ranks;
  // The others would wait for a rank that never comes, unless all are there already.
  if (claim.ranks != meeting.ranks) {
    answer(guest, Verdict::kOtherNumberOfRanks);
    if (!meeting.table_sent) dissolve(meeting, Verdict::kRanksDisagree, &guest);
    return;
  }
  if (claim.rank < 0 || claim.rank >= meeting.ranks ||
      !meeting.guests.emplace(claim.rank, &guest).second) {
    answer(guest, Verdict::kRankTaken);
    if (!meeting.table_sent) dissolve(meeting, Verdict::kRankTwice, &guest);
    return;
  }
  guest.admitted = true;
  if (meeting.guests.size() < static_cast<std::size_t>(meeting.ranks)) return;
  std::vector<Entry> table;
  for (const auto& [rank, each] : meeting.guests) table.push_back(each->claim.entry);
  meeting.table_sent = true;
  for (const auto& [rank, each] : meeting.guests) {
    answer(*each, Verdict::kWelcome);
    if (!send_all(each->socket, table.data(), table.size() * sizeof(Entry))) each->leaving = true;
  }
  for (const auto& [rank, each] : meeting.guests) {
    if (each->leaving) return break_up(meeting, each);
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
    if (!each->is_own) static_cast<void>(send_all(each->socket, &kBegin, 1));
  }
  release_own(guest.claim.token);
}

void RendezvousServer::note_leaving(Guest& guest, Meeting& meeting) {
  guest.leaving = true;
  if (!meeting.begun) return break_up(meeting, &guest);
  meeting.guests.erase(guest.claim.rank);
  release_own(guest.claim.token);
}

void RendezvousServer::release_own(const Token& token) {
  const Meeting& meeting = meetings_[token];
  for (const auto& [rank, each] : meeting.guests) {
    if (!each->is_own) return;
  }
  for (const auto& [rank, each] : meeting.guests) {
    static_cast<void>(send_all(each->socket, &kBegin, 1));
    each->leaving = true;
  }
  meetings_.erase(token);
}

// A rank that went away never comes back, so the others must not wait for it.
void RendezvousServer::break_up(Meeting& meeting, const Guest* who) {
  if (who->admitted) dissolve(meeting, Verdict::kRankGone, who);
}

// Ends a meeting that cannot succeed, and tells its guests.
void RendezvousServer::dissolve(Meeting& meeting, Verdict why, const Guest* except) {
  const Token token = except->claim.token;
  for (const auto& [rank, each] : meeting.guests) {
    if (each == except) continue;
    if (meeting.table_sent) {
      static_cast<void>(send_all(each->socket, &kBroken, 1));
      each->leaving = true;
    } else {
      answer(*each, why);
    }
  }
  meetings_.erase(token);
}

// Ranks that wait to be let in are refused when nobody listens any more. The next id starts anew.
void RendezvousServer::give_up() {
  for (const auto& [token, meeting] : meetings_) {
    for (const auto& [rank, each] : meeting.guests) {
      if (meeting.begun) {
        static_cast<void>(send_all(each->socket, &kBegin, 1));
      } else if (meeting.table_sent) {
        static_cast<void>(send_all(each->socket, &kBroken, 1));
      } else {
        answer(*each, Verdict::kNoDescriptor);
      }
    }
  }
  meetings_.clear();
  guests_.clear();
  gate_.close();
  started_ = false;
}

}  // namespace host_mccl

#include "src/host/mccl/meeting.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "src/host/mccl/errors.h"

namespace host_mccl {
namespace {

// The first message on every connection between two ranks.
struct Introduction {
  std::uint64_t magic;
  Token token;
  std::int32_t rank;
  std::int32_t reserved;
};

constexpr int kIntroductionTime = 5000;  // milliseconds

mcclResult_t refused(const char* caller, Verdict verdict, const Hello& hello) {
  switch (verdict) {
    case Verdict::kUnknownId:
      return fail(mcclInvalidUsage, "%s: the id was used before, or its ranks failed to connect",
                  caller);
    case Verdict::kRankTaken:
      return fail(mcclInvalidUsage, "%s: rank %d of this id has already joined", caller,
                  hello.rank);
    case Verdict::kOtherNumberOfRanks:
      return fail(mcclInvalidUsage,
                  "%s: another rank of this id was given a different number of ranks than %d",
                  caller, hello.ranks);
    default:
      return fail(remote_error(), "%s: another rank has ended", caller);
  }
}

mcclResult_t broken(const char* caller) {
  return fail(remote_error(), "%s: another rank, or the process that created the id, has ended",
              caller);
}

}  // namespace

mcclResult_t Meeting::meet(const UniqueId& id, int ranks, int rank, const char* caller) {
  ranks_ = ranks;
  rank_ = rank;
  token_ = id.token;
  sockets_.resize(ranks);
  Hello hello{kHelloMagic, id.token, ranks, rank, {}};
  hello.entry.host = host_key();
  if (ranks > 1) {
    std::uint64_t name = 0;
    if (getentropy(&name, sizeof name) != 0)
      return fail(mcclSystemError, "%s: no random bytes", caller);
    std::snprintf(hello.entry.local_name.data(), hello.entry.local_name.size(),
                  "torchada-mccl-rank-%d-%llx", rank, static_cast<unsigned long long>(name));
    local_listener_ = listen_at(std::string(hello.entry.local_name.data()));
    if (!local_listener_) {
      return fail(mcclSystemError, "%s: cannot listen: %s", caller, std::strerror(errno));
    }
    hello.entry.address = own_address();
    net_listener_ = listen_at(hello.entry.address);
    if (!net_listener_) hello.entry.address = {};
  }
  mcclResult_t result = ask_server(id, hello, caller);
  if (result == mcclSuccess) result = connect_downwards(caller);
  if (result == mcclSuccess) result = accept_upwards(caller);
  return result;
}

mcclResult_t Meeting::ask_server(const UniqueId& id, Hello hello, const char* caller) {
  const bool here = id.host == hello.entry.host;
  Socket server = here ? connect_to(server_name(id.server)) : connect_to(id.address);
  if (!server) {
    return fail(mcclSystemError, "%s: cannot reach process %lld at %s, which created the id: %s",
                caller, static_cast<long long>(id.process),
                here ? "this host" : text_of(id.address).c_str(), std::strerror(errno));
  }
  const bool is_wanted = talk_to(std::move(server));
  Answer answer{};
  // A cancelled rank says hello too: the server tells the others only about ranks that have said
  // it.
  if (!send_all(server_, &hello, sizeof hello) || !is_wanted ||
      !receive_all(server_, &answer, sizeof answer) || answer.magic != kHelloMagic) {
    return broken(caller);
  }
  if (answer.verdict != Verdict::kWelcome) return refused(caller, answer.verdict, hello);
  entries_.resize(ranks_);
  if (!receive_all(server_, entries_.data(), entries_.size() * sizeof(Entry))) {
    return broken(caller);
  }
  return mcclSuccess;
}

// Returns false if this rank was cancelled.
bool Meeting::talk_to(Socket server) {
  const std::lock_guard lock(mutex_);
  server_ = std::move(server);
  return !cancelled_;
}

// Every wait also watches the server's connection, which now looks closed. The server notices when
// this rank closes it.
void Meeting::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (server_) shutdown(server_.get(), SHUT_RD);
}

mcclResult_t Meeting::connect_downwards(const char* caller) {
  const Introduction introduction{kHelloMagic, token_, rank_, 0};
  for (int other = 0; other < rank_; ++other) {
    Entry& entry = entries_[other];
    entry.local_name.back() = '\0';
    if (!same_host(other) && entry.address.family == 0) {
      return fail(mcclSystemError, "%s: rank %d is on another host and has no network address",
                  caller, other);
    }
    sockets_[other] = same_host(other) ? connect_to(std::string(entry.local_name.data()))
                                       : connect_to(entry.address);
    if (!sockets_[other] || !send_all(sockets_[other], &introduction, sizeof introduction)) {
      return fail(remote_error(), "%s: cannot reach rank %d at %s: %s", caller, other,
                  same_host(other) ? "this host" : text_of(entry.address).c_str(),
                  std::strerror(errno));
    }
  }
  return mcclSuccess;
}

mcclResult_t Meeting::accept_upwards(const char* caller) {
  for (int missing = ranks_ - 1 - rank_; missing > 0;) {
    std::array<pollfd, 3> waited = {{{server_.get(), POLLIN, 0},
                                     {local_listener_.get(), POLLIN, 0},
                                     {net_listener_.get(), POLLIN, 0}}};
    if (poll(waited.data(), waited.size(), -1) < 0) continue;
    // Before all are connected, the server speaks only if a rank went away.
    if (waited[0].revents != 0) return broken(caller);
    for (const Socket* listener : {&local_listener_, &net_listener_}) {
      if (waited[listener == &local_listener_ ? 1 : 2].revents == 0) continue;
      Socket accepted = accept_from(*listener);
      Introduction introduction{};
      if (!accepted || !readable_within(accepted, kIntroductionTime) ||
          !receive_all(accepted, &introduction, sizeof introduction)) {
        continue;
      }
      const int other = introduction.rank;
      if (introduction.magic != kHelloMagic || introduction.token != token_ || other <= rank_ ||
          other >= ranks_ || sockets_[other]) {
        continue;
      }
      sockets_[other] = std::move(accepted);
      --missing;
    }
  }
  local_listener_ = {};
  net_listener_ = {};
  return mcclSuccess;
}

bool Meeting::await(const Socket& socket) {
  while (true) {
    std::array<pollfd, 2> waited = {{{server_.get(), POLLIN, 0}, {socket.get(), POLLIN, 0}}};
    if (poll(waited.data(), waited.size(), -1) < 0) continue;
    if (waited[1].revents != 0) return true;
    if (waited[0].revents != 0) return false;
  }
}

mcclResult_t Meeting::finish(const char* caller) {
  char byte = 0;
  if (!send_all(server_, &kConnected, 1) || !receive_all(server_, &byte, 1) || byte != kBegin) {
    return broken(caller);
  }
  return talk_to({}) ? mcclSuccess : broken(caller);
}

}  // namespace host_mccl

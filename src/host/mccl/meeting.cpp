#include "src/host/mccl/meeting.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "src/host/mccl/errors.h"

namespace host_mccl {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The process that made the id answers at once, unless it is stopped or its machine is overloaded.
constexpr seconds kServerTime{20};

bool readable_within(const Socket& socket, milliseconds time) {
  pollfd waited{socket.get(), POLLIN, 0};
  int result = 0;
  do {
    result = poll(&waited, 1, static_cast<int>(time.count()));
  } while (result < 0 && errno == EINTR);
  return result > 0;
}

mcclResult_t refused(const char* caller, Verdict verdict, int rank, int ranks) {
  switch (verdict) {
    case Verdict::kUnknownId:
      return fail(mcclInvalidUsage, "%s: the id was used before, or its ranks failed to connect",
                  caller);
    case Verdict::kRankTaken:
      return fail(mcclInvalidUsage, "%s: rank %d of this id has already joined", caller, rank);
    case Verdict::kOtherNumberOfRanks:
      return fail(mcclInvalidUsage,
                  "%s: another rank of this id was given a different number of ranks than %d",
                  caller, ranks);
    case Verdict::kRanksDisagree:
      return fail(mcclInvalidUsage,
                  "%s: the ranks of this id were given different numbers of ranks", caller);
    case Verdict::kRankTwice:
      return fail(mcclInvalidUsage, "%s: two ranks of this id were given the same number", caller);
    case Verdict::kNoDescriptor:
      return fail(mcclSystemError, "%s: the process that created the id has no free descriptor",
                  caller);
    case Verdict::kNotProven:
      return fail(mcclInvalidUsage, "%s: the id is damaged", caller);
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
  secret_ = id.secret;
  control_.resize(ranks);
  data_.resize(ranks);
  // The first descriptor of all: without one, the others could not learn that this rank fails.
  const bool here = id.host == host_key();
  Socket server = here ? connect_to(server_name(id.server)) : connect_to(id.address);
  const int unreachable = server ? 0 : errno;
  Entry own{};
  own.host = host_key();
  if (ranks > 1) {
    std::uint64_t name = 0;
    if (!fill_randomly(&name, sizeof name)) {
      return fail(mcclSystemError, "%s: no random bytes", caller);
    }
    std::snprintf(own.local_name.data(), own.local_name.size(), "torchada-mccl-rank-%d-%llx", rank,
                  static_cast<unsigned long long>(name));
    Socket local = listen_at(std::string(own.local_name.data()));
    if (!local) {
      const int error = errno;
      if (server) static_cast<void>(join(id, own, server));  // and leave at once
      return fail(mcclSystemError, "%s: cannot listen: %s", caller, std::strerror(error));
    }
    own.address = own_address();
    Socket net = listen_at(own.address);
    if (!net) own.address = {};
    gate_.listen(std::move(local));
    gate_.listen(std::move(net));
  }
  errno = unreachable;
  mcclResult_t result = ask_server(id, own, std::move(server), caller);
  if (result == mcclSuccess) result = connect_downwards(caller);
  if (result == mcclSuccess) result = accept_upwards(caller);
  return result;
}

Claim Meeting::claim_for(Purpose purpose) const {
  Claim claim{};
  claim.token = token_;
  claim.purpose = purpose;
  claim.ranks = ranks_;
  claim.rank = rank_;
  return claim;
}

// Enters with `server`, which becomes the connection that was let in.
std::optional<Verdict> Meeting::join(const UniqueId& id, const Entry& own, Socket& server) const {
  const bool here = id.host == own.host;
  Claim claim = claim_for(Purpose::kMeeting);
  claim.entry = own;
  Socket first = std::move(server);
  return pass_gate(
      [&] {
        if (first) return std::move(first);
        return here ? connect_to(server_name(id.server)) : connect_to(id.address);
      },
      [](const Socket& socket) { return readable_within(socket, kServerTime); }, kServerTime, claim,
      secret_, server);
}

// A cancelled rank comes too: the process that made the id tells the others only about ranks that
// have come.
mcclResult_t Meeting::ask_server(const UniqueId& id, const Entry& own, Socket server,
                                 const char* caller) {
  const auto verdict = server ? join(id, own, server) : std::nullopt;
  if (!verdict) {
    return fail(mcclSystemError, "%s: cannot reach process %lld at %s, which created the id: %s",
                caller, static_cast<long long>(id.process),
                id.host == own.host ? "this host" : text_of(id.address).c_str(),
                errno == 0 ? "it closes the connection" : std::strerror(errno));
  }
  if (*verdict != Verdict::kWelcome) return refused(caller, *verdict, rank_, ranks_);
  Answer answer{};
  if (!talk_to(std::move(server)) || !receive_all(server_, &answer, sizeof answer) ||
      answer.magic != kMessageMagic) {
    return broken(caller);
  }
  if (answer.verdict != Verdict::kWelcome) return refused(caller, answer.verdict, rank_, ranks_);
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
  for (int other = 0; other < rank_; ++other) {
    entries_[other].local_name.back() = '\0';
    auto result = connect_to_rank(other, claim_for(Purpose::kControl), control_[other], caller);
    for (std::uint32_t kind = 0; kind < kChannelKinds && !same_host(other); ++kind) {
      if (result != mcclSuccess) break;
      Claim claim = claim_for(Purpose::kData);
      claim.channel = kind;
      result = connect_to_rank(other, claim, data_[other][kind], caller);
    }
    if (result != mcclSuccess) return result;
  }
  return mcclSuccess;
}

// The other rank may have to connect to others first. That takes as long as it takes, unless the
// meeting breaks up.
mcclResult_t Meeting::connect_to_rank(int other, const Claim& claim, Socket& socket,
                                      const char* caller) {
  const Entry& entry = entries_[other];
  const bool here = same_host(other);
  if (!here && entry.address.family == 0) {
    return fail(mcclSystemError, "%s: rank %d is on another host and has no network address",
                caller, other);
  }
  const auto verdict = pass_gate(
      [&] {
        return here ? connect_to(std::string(entry.local_name.data())) : connect_to(entry.address);
      },
      [this](const Socket& waited) { return await(waited); }, kServerTime, claim, secret_, socket);
  if (verdict == Verdict::kWelcome) return mcclSuccess;
  const int error = errno;
  if (readable_within(server_, milliseconds(0))) return broken(caller);
  return fail(remote_error(), "%s: cannot reach rank %d at %s: %s", caller, other,
              here ? "this host" : text_of(entry.address).c_str(),
              verdict ? "it refuses the connection" : std::strerror(error));
}

mcclResult_t Meeting::accept_upwards(const char* caller) {
  int missing = 0;
  for (int other = rank_ + 1; other < ranks_; ++other)
    missing += same_host(other) ? 1 : 1 + kChannelKinds;
  const auto secret_of = [this](const Token& token) {
    return token == token_ ? &secret_ : nullptr;
  };
  const auto enter = [&](Socket socket, const Claim& claim) {
    const int other = claim.rank;
    if (other <= rank_ || other >= ranks_) return;
    const bool is_data = claim.purpose == Purpose::kData && claim.channel < kChannelKinds;
    if (!is_data && claim.purpose != Purpose::kControl) return;
    Socket& place = is_data ? data_[other][claim.channel] : control_[other];
    if (place || (is_data && same_host(other))) return;
    place = std::move(socket);
    --missing;
  };
  while (missing > 0) {
    std::vector<pollfd> waited;
    const int time = gate_.add_to(waited);
    waited.push_back({server_.get(), POLLIN, 0});
    if (poll(waited.data(), waited.size(), time) < 0) continue;
    // Before all are connected, the server speaks only if a rank went away.
    if (waited.back().revents != 0) return broken(caller);
    gate_.work(waited.data(), secret_of, enter);
    if (gate_.starves()) {
      return fail(mcclSystemError, "%s: no descriptor is free for the connections of other ranks",
                  caller);
    }
  }
  gate_.close();
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

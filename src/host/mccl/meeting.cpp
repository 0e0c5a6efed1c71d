#include "src/host/mccl/meeting.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "src/host/mccl/errors.h"
#include "src/host/shared/say.h"

namespace host_mccl {
namespace {

mcclResult_t no_descriptor(const char* caller) {
  return fail(mcclSystemError, "%s: the process that created the id has no free descriptor",
              caller);
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
      return no_descriptor(caller);
    default:
      return fail(remote_error(), "%s: another rank has ended", caller);
  }
}

mcclResult_t broken(const char* caller) {
  return fail(remote_error(), "%s: another rank, or the process that created the id, has ended",
              caller);
}

// Said aloud: a program that was written for several machines may not show it.
mcclResult_t elsewhere(const char* caller, const UniqueId& id, int rank) {
  const auto result =
      fail(mcclSystemError,
           "%s: rank %d is not on the machine of process %lld, which created the id: the CPU "
           "stand-in has no collectives between machines; containers must share one network",
           caller, rank, static_cast<long long>(id.process));
  host::say(mcclGetLastError(nullptr));
  return result;
}

mcclResult_t unreachable(const char* caller, const UniqueId& id, int error) {
  return fail(mcclSystemError, "%s: cannot reach process %lld, which created the id: %s", caller,
              static_cast<long long>(id.process), std::strerror(error));
}

}  // namespace

// A cancelled rank comes too: the process that made the id tells the others only about ranks that
// have come.
mcclResult_t Meeting::meet(const UniqueId& id, int ranks, int rank, const char* caller) {
  if (id.host != host_key()) return elsewhere(caller, id, rank);
  Socket server = connect_to(server_name(id.server));
  if (!server) return unreachable(caller, id, errno);
  if (!is_of_allowed_user(server)) return unreachable(caller, id, EPERM);
  const Claim claim{kMessageMagic, id.token, ranks, rank};
  if (!send_all(server, &claim, sizeof claim)) return unreachable(caller, id, errno);
  return talk_to(std::move(server)) ? await_all(ranks, rank, caller) : broken(caller);
}

mcclResult_t Meeting::await_all(int ranks, int rank, const char* caller) {
  Answer answer{};
  if (!receive_all(server_, &answer, sizeof answer) || answer.magic != kMessageMagic) {
    return broken(caller);
  }
  if (answer.verdict != Verdict::kWelcome) return refused(caller, answer.verdict, rank, ranks);
  peers_.resize(ranks);
  if (ranks == 1) return mcclSuccess;
  mcclResult_t result = take(memory_, caller);
  for (int other = 0; other < ranks && result == mcclSuccess; ++other) {
    if (other != rank) result = take(peers_[other], caller);
  }
  return result;
}

mcclResult_t Meeting::take(Socket& descriptor, const char* caller) {
  char byte = 0;
  int received = -1;
  if (!receive_byte(server_, byte, received)) return broken(caller);
  descriptor = Socket(received);
  if (byte == kStarved) return no_descriptor(caller);
  if (byte != kDescriptor) return broken(caller);
  if (descriptor) return mcclSuccess;
  return fail(mcclSystemError, "%s: no descriptor is free for the connections to other ranks",
              caller);
}

// Returns false if this rank was cancelled.
bool Meeting::talk_to(Socket server) {
  const std::lock_guard lock(mutex_);
  server_ = std::move(server);
  return !cancelled_;
}

// The server's connection now looks closed. The server notices when this rank closes it.
void Meeting::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (server_) shutdown(server_.get(), SHUT_RD);
}

mcclResult_t Meeting::finish(const char* caller) {
  char byte = 0;
  if (!send_all(server_, &kConnected, 1) || !receive_all(server_, &byte, 1) || byte != kBegin) {
    return broken(caller);
  }
  return talk_to({}) ? mcclSuccess : broken(caller);
}

}  // namespace host_mccl

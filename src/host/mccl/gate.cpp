#include "src/host/mccl/gate.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <thread>

namespace host_mccl {
namespace {

// Connections accepted in a row; those that have come in meanwhile get their turn after that.
constexpr int kMostAtOnce = 16;
// The time for which a process without a free descriptor accepts no connection.
constexpr std::chrono::milliseconds kRest{100};
constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kBeforeNextTry{10};

template <typename Object>
bool send_at_once(const Socket& socket, const Object& object) {
  return send(socket.get(), &object, sizeof object, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(sizeof object);
}

// Waits with `await`. Returns false with errno, which is 0 if the other side closed.
template <typename Object>
bool receive(const Socket& socket, Object& object,
             const std::function<bool(const Socket&)>& await) {
  std::size_t received = 0;
  bool ended = false;
  while (!receive_part(socket, &object, sizeof object, received, ended)) {
    if (ended) return false;
    if (await(socket)) continue;
    errno = ETIMEDOUT;
    return false;
  }
  return true;
}

}  // namespace

Proof proof_of(const Claim& claim, const Challenge& challenge, const Secret& secret) {
  return make_proof(secret, "mccl connects", challenge.nonce, &claim, offsetof(Claim, proof));
}

Proof proof_of_acceptance(const Claim& claim, const Challenge& challenge, const Secret& secret) {
  return make_proof(secret, "mccl accepts", challenge.nonce, &claim, offsetof(Claim, proof));
}

bool receive_part(const Socket& socket, void* object, std::size_t size, std::size_t& received,
                  bool& ended) {
  const ssize_t got =
      recv(socket.get(), static_cast<char*>(object) + received, size - received, MSG_DONTWAIT);
  if (got > 0) {
    received += static_cast<std::size_t>(got);
    return received == size;
  }
  ended = got == 0 || (errno != EAGAIN && errno != EINTR);
  if (got == 0) errno = 0;
  return false;
}

void Gate::listen(Socket listener) {
  if (listener) listeners_.push_back(std::move(listener));
}

void Gate::close() {
  listeners_.clear();
  visitors_.clear();
  starved_since_ = {};
}

bool Gate::starves() const {
  return starved_since_ != Clock::time_point{} && Clock::now() - starved_since_ > kPatience;
}

Gate::Clock::time_point Gate::accepts_from() const {
  if (visitors_.size() < kMostVisitors) return rests_until_;
  return std::max(rests_until_, visitors_.front().since + kLeastTime);
}

int Gate::add_to(std::vector<pollfd>& waited) const {
  const auto now = Clock::now();
  const auto opens = accepts_from();
  for (const Socket& listener : listeners_) {
    waited.push_back({now < opens ? -1 : listener.get(), POLLIN, 0});
  }
  for (const Visitor& visitor : visitors_) waited.push_back({visitor.socket.get(), POLLIN, 0});
  auto next = Clock::time_point::max();
  if (now < opens) next = opens;
  if (!visitors_.empty()) next = std::min(next, visitors_.front().since + kProofTime);
  if (next == Clock::time_point::max()) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - now).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0)) + 1;
}

void Gate::work(const pollfd* polled, const Secrets& secrets, const Enter& enter) {
  const pollfd* of_visitor = polled + listeners_.size();
  const auto now = Clock::now();
  for (Visitor& visitor : visitors_) {
    if ((of_visitor++)->revents != 0) read_from(visitor, secrets, enter);
    if (visitor.since + kProofTime <= now) visitor.leaving = true;
  }
  visitors_.remove_if([](const Visitor& each) { return each.leaving; });
  for (const Socket& listener : listeners_) {
    if ((polled++)->revents != 0) accept_some(listener);
  }
}

void Gate::accept_some(const Socket& listener) {
  for (int i = 0; i < kMostAtOnce && accepts_from() <= Clock::now(); ++i) {
    Socket accepted = accept_from(listener);
    if (!accepted) {
      if (errno == ECONNABORTED || errno == EINTR) continue;
      if (errno == EAGAIN) return;
      // Most likely no descriptor is free. The connection waits, so poll() would return at once.
      if (visitors_.empty()) {
        const auto now = Clock::now();
        rests_until_ = now + kRest;
        if (starved_since_ == Clock::time_point{}) starved_since_ = now;
      }
      if (!visitors_.empty()) visitors_.pop_front();
      return;
    }
    starved_since_ = {};
    if (!is_of_allowed_user(accepted)) continue;
    if (visitors_.size() >= kMostVisitors) visitors_.pop_front();
    Visitor visitor;
    visitor.socket = std::move(accepted);
    visitor.since = Clock::now();
    visitor.challenge.magic = kMessageMagic;
    if (fill_randomly(&visitor.challenge.nonce, sizeof(Nonce)) &&
        send_at_once(visitor.socket, visitor.challenge)) {
      visitors_.push_back(std::move(visitor));
    }
  }
}

void Gate::read_from(Visitor& visitor, const Secrets& secrets, const Enter& enter) {
  Claim& claim = visitor.claim;
  if (!receive_part(visitor.socket, &claim, sizeof claim, visitor.received, visitor.leaving)) {
    return;
  }
  visitor.leaving = true;
  Reply reply{kMessageMagic, Verdict::kUnknownId, 0, {}};
  const Secret* const secret = claim.magic == kMessageMagic ? secrets(claim.token) : nullptr;
  if (secret != nullptr) {
    const bool proven = are_equal(claim.proof, proof_of(claim, visitor.challenge, *secret));
    reply.verdict = proven ? Verdict::kWelcome : Verdict::kNotProven;
    if (proven) reply.proof = proof_of_acceptance(claim, visitor.challenge, *secret);
  }
  if (send_at_once(visitor.socket, reply) && reply.verdict == Verdict::kWelcome) {
    enter(std::move(visitor.socket), claim);
  }
}

std::optional<Verdict> pass_gate(const std::function<Socket()>& connect,
                                 const std::function<bool(const Socket&)>& await,
                                 std::chrono::milliseconds time, Claim claim, const Secret& secret,
                                 Socket& entered) {
  const auto end = std::chrono::steady_clock::now() + time;
  claim.magic = kMessageMagic;
  while (true) {
    Socket socket = connect();
    if (!socket) return std::nullopt;
    if (!is_of_allowed_user(socket)) {
      errno = EPERM;
      return std::nullopt;
    }
    Challenge challenge{};
    Reply reply{};
    if (receive(socket, challenge, await)) {
      if (!fill_randomly(&claim.nonce, sizeof claim.nonce)) return std::nullopt;
      claim.proof = proof_of(claim, challenge, secret);
      if (send_all(socket, &claim, sizeof claim) && receive(socket, reply, await)) {
        if (reply.magic != kMessageMagic) {
          errno = EPROTO;
          return std::nullopt;
        }
        if (reply.verdict != Verdict::kWelcome) return reply.verdict;
        if (!are_equal(reply.proof, proof_of_acceptance(claim, challenge, secret))) {
          errno = EPERM;
          return std::nullopt;
        }
        entered = std::move(socket);
        return Verdict::kWelcome;
      }
    }
    if (errno == ETIMEDOUT || std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(kBeforeNextTry);
  }
}

}  // namespace host_mccl

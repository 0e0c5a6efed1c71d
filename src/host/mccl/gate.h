#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <vector>

#include "src/host/mccl/rendezvous.h"

namespace host_mccl {

// Accepts connections and lets those in that prove that they know an id. Anybody may connect, so
// the gate keeps few connections without a proof, each for a short time, and never waits for one.
// If more come, the oldest has to go, but not before it had the time that a peer who knows the id
// needs. The others wait in the system's queue meanwhile.
class Gate {
 public:
  // The secret of the id that the token names; null if there is none.
  using Secrets = std::function<const Secret*(const Token&)>;
  using Enter = std::function<void(Socket, const Claim&)>;

  // Connections without a proof at a time, and the time that one has: at most, and at least.
  static constexpr std::size_t kMostVisitors = 64;
  static constexpr std::chrono::seconds kProofTime{5};
  static constexpr std::chrono::milliseconds kLeastTime{100};

  // Also takes an empty Socket.
  void listen(Socket listener);
  void close();

  // Adds what the owner has to poll, and for how many milliseconds at most (-1: no limit).
  int add_to(std::vector<pollfd>& waited) const;
  // Whether connections have waited for a free descriptor for so long that none will come.
  bool starves() const;
  // Does what is possible now. `polled` is what add_to() added. Calls `enter` for each connection
  // that has proved itself.
  void work(const pollfd* polled, const Secrets& secrets, const Enter& enter);

 private:
  using Clock = std::chrono::steady_clock;
  struct Visitor {
    Socket socket;
    Clock::time_point since;
    Challenge challenge{};
    Claim claim{};
    std::size_t received = 0;
    bool leaving = false;
  };

  Clock::time_point accepts_from() const;
  void accept_some(const Socket& listener);
  void read_from(Visitor& visitor, const Secrets& secrets, const Enter& enter);

  std::vector<Socket> listeners_;
  std::list<Visitor> visitors_;        // the oldest first
  Clock::time_point rests_until_{};    // no descriptor was free
  Clock::time_point starved_since_{};  // none has been since; the epoch: one was
};

// Reads with recv(), which must not wait, until the object is complete. False: not yet complete,
// or, with `ended`, never.
bool receive_part(const Socket& socket, void* object, std::size_t size, std::size_t& received,
                  bool& ended);

// The other side of a gate. `connect` makes a connection; `await` waits until data arrives, and
// returns false if that has become useless. Tries again if the gate had too many visitors, for as
// long as `time`. Fills in magic, nonce and proof of the claim. Returns nothing, and errno, if
// there is no connection, it takes too long, or the other side does not know the id.
std::optional<Verdict> pass_gate(const std::function<Socket()>& connect,
                                 const std::function<bool(const Socket&)>& await,
                                 std::chrono::milliseconds time, Claim claim, const Secret& secret,
                                 Socket& entered);

}  // namespace host_mccl

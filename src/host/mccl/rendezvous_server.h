#pragma once

#include <mccl.h>

#include <list>
#include <map>
#include <mutex>

#include "src/host/mccl/rendezvous.h"

namespace host_mccl {

// Lets the ranks of an id find each other. Each process that makes ids has one. Its thread starts
// with the first id and runs until the process ends, or has no descriptor left for the ranks.
class RendezvousServer {
 public:
  // Starts to wait for the ranks of the token in `id`, and fills in where they have to connect.
  mcclResult_t open(UniqueId& id, const char* caller);

 private:
  // A connection; a rank as soon as its claim has arrived.
  struct Guest {
    Socket socket;
    Claim claim{};
    std::size_t received = 0;  // of the claim
    bool is_own = false;       // of this process
    bool admitted = false;
    bool connected = false;
    bool leaving = false;
  };
  struct Meeting {
    int ranks = 0;  // 0 until the first rank arrives
    bool complete = false;
    bool begun = false;
    std::map<int, Guest*> guests;
  };

  bool start();
  void serve();
  // False: no descriptor is free.
  bool accept_some();
  void read_from(Guest& guest);
  void admit(Guest& guest);
  void connect_all(Meeting& meeting);
  void note_connected(Guest& guest, Meeting& meeting);
  void note_leaving(Guest& guest, Meeting& meeting);
  void release_own(const Token& token);
  void dissolve(Token token, Verdict why, const Guest* except);
  void give_up();

  std::mutex mutex_;  // guards the members below; only the thread uses the sockets
  bool started_ = false;
  std::uint64_t name_ = 0;
  Socket listener_;
  std::map<Token, Meeting> meetings_;
  std::list<Guest> guests_;
};

}  // namespace host_mccl

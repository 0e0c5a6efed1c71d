#pragma once

#include <mccl.h>

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "src/host/mccl/rendezvous.h"

namespace host_mccl {

// Lets the ranks of an id find each other. Each process that makes ids has one. Its thread starts
// with the first id and runs until the process ends.
class RendezvousServer {
 public:
  // Starts to wait for the ranks of the token in `id`, and fills in where they have to connect.
  mcclResult_t open(UniqueId& id, const char* caller);

 private:
  struct Guest {
    Socket socket;
    Hello hello{};
    std::size_t received = 0;
    bool admitted = false;
    bool connected = false;
    bool leaving = false;
  };
  struct Meeting {
    int ranks = 0;  // 0 until the first rank arrives
    bool table_sent = false;
    std::map<int, Guest*> guests;
  };

  bool start();
  void serve();
  void read_from(Guest& guest);
  void admit(Guest& guest);
  void note_connected(Guest& guest);
  void break_up(Meeting& meeting, const Guest* who);
  static void answer(Guest& guest, Verdict verdict);

  std::mutex mutex_;  // guards the members below; only the thread uses the sockets
  bool started_ = false;
  std::uint64_t name_ = 0;
  NetAddress address_{};
  Socket local_;
  Socket net_;
  std::map<Token, Meeting> meetings_;
  std::list<Guest> guests_;
};

}  // namespace host_mccl

#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>

namespace host_mccl {

// Watches connections, in one thread for the whole process that begins with the first.
class Watch {
 public:
  // `readable` is called from the thread whenever there is something to read or the connection
  // broke; it returns whether to go on watching.
  bool add(int descriptor, std::function<bool()> readable);
  // After this the callback does not run, nor will it.
  void remove(int descriptor);
  // Calls `work` from the thread in a while, unless the descriptor is removed before; it need not
  // be watched any more.
  void later(int descriptor, std::chrono::milliseconds delay, std::function<void()> work);

 private:
  struct Appointment {
    std::chrono::steady_clock::time_point time;
    int descriptor;
    std::function<void()> work;
  };

  bool start();
  void run();
  int keep_appointments();  // milliseconds until the next; -1: there is none

  // Recursive: callbacks make appointments.
  std::recursive_mutex mutex_;
  int poller_ = -1;
  bool started_ = false;
  std::map<int, std::function<bool()>> watched_;
  std::multimap<std::chrono::steady_clock::time_point, Appointment> appointments_;
};

}  // namespace host_mccl

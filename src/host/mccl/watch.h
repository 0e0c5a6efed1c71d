#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>

namespace host_mccl {

// Watches connections, in one thread for the whole process. The first connection starts the thread.
class Watch {
 public:
  // The thread calls `readable` whenever data arrives or the connection breaks. `readable` returns
  // whether to keep watching.
  bool add(int descriptor, std::function<bool()> readable);
  // After this the callback neither runs nor will run.
  void remove(int descriptor);
  // Calls `work` from the thread after the delay, unless the descriptor is removed before. The
  // descriptor need not be watched any more.
  void later(int descriptor, std::chrono::milliseconds delay, std::function<void()> work);

 private:
  struct Appointment {
    std::chrono::steady_clock::time_point time;
    int descriptor;
    std::function<void()> work;
  };

  bool start();
  void run();
  int keep_appointments();  // milliseconds until the next appointment; -1: none

  // Recursive because callbacks make appointments.
  std::recursive_mutex mutex_;
  int poller_ = -1;
  bool started_ = false;
  std::map<int, std::function<bool()>> watched_;
  std::multimap<std::chrono::steady_clock::time_point, Appointment> appointments_;
};

}  // namespace host_mccl

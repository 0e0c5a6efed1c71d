#pragma once

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

 private:
  bool start();
  void run();

  std::mutex mutex_;
  int poller_ = -1;
  bool started_ = false;
  std::map<int, std::function<bool()>> watched_;
};

}  // namespace host_mccl

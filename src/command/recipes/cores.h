// Who may use the processors: compilers that a launch waits for first, and what is left for those
// that read ahead.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace torchada::recipes {

class Cores {
 public:
  explicit Cores(unsigned count) : count_(count) {}

  // A program waits for something of this source, which may be read ahead at the time.
  void begin_waiting(const std::string& source);
  void end_waiting(const std::string& source);
  // Around a compilation for a launch. Waits for others of that kind; one that reads ahead is ended
  // if it would take part of a processor away.
  void begin_launch();
  void end_launch();

  struct Ahead {
    std::string source;
    std::atomic<int> child{0};  // the compiler; 0 while there is none
    bool is_ended = false;      // before it was done
  };
  // Waits until a launch waits and a processor is free, and takes it for what `next` tells. `next`
  // gives an empty text if there is nothing left: false then.
  bool begin_ahead(const std::function<std::string()>& next, Ahead* ahead);
  void end_ahead(Ahead* ahead);

 private:
  unsigned used() const { return launches_ + static_cast<unsigned>(ahead_.size()); }

  const unsigned count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned launches_ = 0;
  std::multiset<std::string> waited_for_;
  std::set<Ahead*> ahead_;
};

}  // namespace torchada::recipes

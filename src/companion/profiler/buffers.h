// The records that the program has not got yet, and the buffers that it gives for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "src/companion/profiler/record.h"

namespace torchada::profiler {

class Buffers {
 public:
  // Size in bytes of a record that begins with this kind; 0 for none.
  using SizeOf = std::uint32_t (*)(std::uint32_t kind);
  explicit Buffers(SizeOf size_of) : size_of_(size_of) {}

  // Null twice: the program gives no buffers any more.
  void give(RequestBuffer request, CompleteBuffer complete);

  void add(const Record& record);
  // A record that could not be made.
  void drop() { dropped_.fetch_add(1); }
  // Asks for a buffer if there are records and none is held: programs take this for a sign that
  // there is something to flush. Calls the program, so no lock may be held.
  void hold();
  // Returns the buffers that are held, empty.
  void let_go();
  // Whether so much has come together that the program should get it now.
  bool is_much() const { return waiting_.load(std::memory_order_relaxed) >= kMuch; }
  // Gives the program what is there. Calls the program, so no lock may be held. What finds no room
  // is dropped, and counted.
  void deliver();
  // How many records were dropped since the last call.
  std::size_t take_dropped() { return dropped_.exchange(0); }
  // The record after `*record` in a buffer, the first one after null. False at the end.
  bool next(std::uint8_t* buffer, std::size_t valid, void** record) const;
  // In the child of fork(), under the lock.
  void forget();

  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  static constexpr std::size_t kMuch = std::size_t{1} << 20;

  // A buffer of the program.
  struct Room {
    std::uint8_t* start = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;               // records; 0: as many as fit
    CompleteBuffer complete = nullptr;  // The program may give another function meanwhile.
  };
  Room take_room();
  Room ask_for_room();

  const SizeOf size_of_;
  std::mutex mutex_;
  RequestBuffer request_ = nullptr;
  CompleteBuffer complete_ = nullptr;
  std::vector<std::uint8_t> records_;
  std::vector<Room> held_;
  std::atomic<bool> holds_{false};       // Something is in held_.
  std::atomic<std::size_t> waiting_{0};  // Bytes of records_.
  std::atomic<std::size_t> dropped_{0};
};

}  // namespace torchada::profiler

// The state of an event shared by several processes: how often it was recorded, and how many of
// those recordings have completed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "src/host/musa/ipc_handle.h"
#include "src/host/musa/mapping.h"

namespace musa {

class SharedEvent {
 public:
  // Null if the system cannot provide shared memory.
  static std::shared_ptr<SharedEvent> create();
  // Null if the handle's event is gone.
  static std::shared_ptr<SharedEvent> open(const IpcContents& contents);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  IpcContents contents() const;
  bool is_imported() const { return imported_; }

  // A new recording, and the last one made by any process (0 before the first).
  std::uint32_t issue();
  std::uint32_t latest() const;
  void complete(std::uint32_t recording);
  // A recording also counts as done once the process that made it has ended, because it can no
  // longer complete.
  bool is_done(std::uint32_t recording) const;
  void wait(std::uint32_t recording) const;

 private:
  struct State {
    std::atomic<std::uint32_t> issued;
    std::atomic<std::uint32_t> completed;
    std::atomic<std::int32_t> recorder;
    std::atomic<std::uint64_t> recorder_started;
  };

  SharedEvent(Mapping mapping, std::uint64_t secret, bool imported)
      : mapping_(std::move(mapping)), secret_(secret), imported_(imported) {}
  State& state() const { return *reinterpret_cast<State*>(mapping_.base); }
  bool recorder_is_gone() const;

  const Mapping mapping_;
  const std::uint64_t secret_;
  const bool imported_;
};

}  // namespace musa

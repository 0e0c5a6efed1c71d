#pragma once

#include <murand.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "src/host/murand/mrg32k3a.h"
#include "src/host/murand/philox.h"
#include "src/host/murand/xorwow.h"

namespace host_murand {

// The state of a generator. Only its work in streams uses it.
struct Engine {
  std::mutex mutex;
  std::variant<Xorwow, Mrg32k3a, Philox> lanes;
  std::uint64_t start = 0;  // the `Place::start` for which the lanes were set up; 0: none yet
};

// Fixed when a call is made: where the engine starts, and how many units the calls since that start
// take.
struct Place {
  std::shared_ptr<Engine> engine;
  Origin origin;
  std::uint64_t start = 1;
  std::uint64_t position = 0;
  musaStream_t stream = nullptr;
};

class Generator {
 public:
  explicit Generator(std::shared_ptr<Engine> engine);

  void set_stream(musaStream_t stream);
  void set_seed(std::uint64_t seed);
  void set_offset(std::uint64_t offset);

  // Copies the present position. If units(place, &count) succeeds, the next call starts `count`
  // units later.
  template <typename Units>
  murandStatus_t take(Place* taken, Units units) {
    const std::lock_guard lock(mutex_);
    std::uint64_t count = 0;
    const murandStatus_t status = units(std::as_const(place_), &count);
    *taken = place_;
    place_.position += count;
    return status;
  }

 private:
  void restart();

  std::mutex mutex_;
  Place place_;
};

// Null if the handle is not live.
std::shared_ptr<Generator> find_generator(murandGenerator_t generator);

}  // namespace host_murand

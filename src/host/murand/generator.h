#pragma once

#include <murand.h>

#include <cstdint>
#include <memory>
#include <mutex>

namespace host_murand {

// A place in a sequence of 32 bit words, and the stream that gets the work. Any place can be
// reached directly, so a generator keeps no state that work in a stream would have to update.
struct Place {
  murandRngType_t type;
  std::uint64_t seed = 0;
  std::uint64_t position = 0;
  musaStream_t stream = nullptr;
};

class Generator {
 public:
  explicit Generator(murandRngType_t type) : place_{type} {}

  void set_stream(musaStream_t stream);
  void set_seed(std::uint64_t seed);
  void set_offset(std::uint64_t offset);

  // The present place; the next call starts `words` further on.
  Place take(std::uint64_t words);

 private:
  std::mutex mutex_;
  Place place_;
  std::uint64_t offset_ = 0;
};

// Null when the handle is not a live one.
std::shared_ptr<Generator> find_generator(murandGenerator_t generator);

}  // namespace host_murand

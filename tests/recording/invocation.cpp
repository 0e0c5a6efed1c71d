#include "tests/recording/invocation.h"

#include <algorithm>
#include <iterator>
#include <random>

namespace recording {

Invocation invocation_of(const char* name, unsigned round) {
  std::uint64_t seed = 0xcbf29ce484222325u + round;  // FNV-1a
  for (; *name; ++name) seed = (seed ^ static_cast<unsigned char>(*name)) * 0x100000001b3u;
  std::mt19937_64 random(seed);
  Invocation out{};
  recording_arguments& arguments = out.exchange.arguments;
  std::generate(std::begin(arguments.integers), std::end(arguments.integers), std::ref(random));
  arguments.rax = random();
  arguments.r10 = random();
  for (auto& vector : arguments.vectors) {
    std::generate(std::begin(vector), std::end(vector), std::ref(random));
  }
  std::generate(std::begin(arguments.stack), std::end(arguments.stack), std::ref(random));
  std::generate(std::begin(out.saved_before), std::end(out.saved_before), std::ref(random));
  return out;
}

}  // namespace recording

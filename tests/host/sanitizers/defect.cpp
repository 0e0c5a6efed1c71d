// Does the wrong thing that its argument names. A build with that sanitizer must end it with a
// status other than 0.
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

namespace {

volatile int number = 0;

void read_past_the_end() {
  const auto bytes = std::make_unique<char[]>(8);
  volatile std::size_t past = 8;
  number = bytes[past];
}

void overflow() {
  volatile int most = INT_MAX;
  number = most + 1;
}

void race() {
  std::thread other([] { number = 1; });
  number = 2;
  other.join();
}

}  // namespace

int main(int, char** arguments) {
  const char* defect = arguments[1];
  if (std::strcmp(defect, "address") == 0) read_past_the_end();
  if (std::strcmp(defect, "undefined") == 0) overflow();
  if (std::strcmp(defect, "thread") == 0) race();
  return 0;
}

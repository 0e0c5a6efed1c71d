// leaver ID_FILE RANKS RANK HOW [BYTES SECONDS]: correct programs whose ranks end as early as they
// may.
//   destroy   destroys the communicator and returns from main()
//   hurry     destroys the communicator and calls _Exit()
//   return    returns from main() and leaves the communicator alone
//   vanish    calls _Exit() and leaves the communicator alone
//   send      rank 0 sends BYTES to rank 1, waits, destroys and calls _Exit(); rank 1 receives them
//             SECONDS later
//   unwaited  the same, but rank 0 does not wait: destroying waits for what was started
#include <unistd.h>

#include "tests/collectives/rank.h"

namespace {

Bytes pattern(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

[[noreturn]] void vanish() {
  std::printf("ok\n");
  std::fflush(stdout);
  std::_Exit(0);
}

void send(Rank& rank, std::size_t size, bool waits) {
  const DeviceBytes buffer(pattern(size));
  EXPECT(ncclSend(buffer.get(), size, kInt8, 1, rank.comm(), rank.stream()) == kSuccess);
  if (waits) rank.wait();
  EXPECT(ncclCommDestroy(rank.comm()) == kSuccess);
  vanish();
}

void receive(Rank& rank, std::size_t size, unsigned seconds) {
  const DeviceBytes buffer(size);
  sleep(seconds);
  EXPECT(ncclRecv(buffer.get(), size, kInt8, 0, rank.comm(), rank.stream()) == kSuccess);
  rank.wait();
  EXPECT(rank.async_error() == kSuccess);
  EXPECT(buffer.read() == pattern(size));
  rank.destroy();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string how = argv[4];
  Rank rank(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  if (how == "send" || how == "unwaited") {
    if (argc < 7) return 2;
    const std::size_t size = std::strtoull(argv[5], nullptr, 10);
    if (rank.rank() == 0) {
      send(rank, size, how == "send");
    } else {
      receive(rank, size, static_cast<unsigned>(std::atoi(argv[6])));
    }
  } else if (how == "destroy" || how == "hurry") {
    EXPECT(ncclCommDestroy(rank.comm()) == kSuccess);
  }
  if (how == "hurry" || how == "vanish") vanish();
  std::printf("ok\n");
  return 0;
}

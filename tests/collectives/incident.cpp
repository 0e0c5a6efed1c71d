// incident ID_FILE RANKS RANK WHAT [NUMBER [NUMBER]]: ranks that meet an incident.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

#include "tests/collectives/rank.h"

namespace {

using Clock = std::chrono::steady_clock;

// Expects this error from the communicator within ten seconds.
void expect_error(const Rank& rank, int expected) {
  const auto end = Clock::now() + std::chrono::seconds(10);
  int error = kSuccess;
  while (error == kSuccess && Clock::now() < end) {
    error = rank.async_error();
    usleep(1000);
  }
  if (error == expected) return;
  std::fprintf(stderr, "rank %d: error %d, expected %d\n", rank.rank(), error, expected);
  std::_Exit(1);
}

// Reports an error and ends.
void report(int error) {
  std::printf("error %d\n", error);
  std::fflush(stdout);
  std::_Exit(4);
}

// Runs collectives and transfers of random sizes until a rank is lost.
void busy(Rank& rank) {
  constexpr std::size_t kMost = 200000;
  const DeviceBytes from(kMost * 4 * rank.ranks(), 1);
  const DeviceBytes to(kMost * 4 * rank.ranks());
  std::printf("ready\n");
  std::fflush(stdout);
  std::mt19937 random(7);  // the same on all ranks
  while (true) {
    const std::size_t count = random() % 3 == 0 ? random() % kMost : random() % 1000;
    const int next = (rank.rank() + 1) % rank.ranks();
    const int previous = (rank.rank() + rank.ranks() - 1) % rank.ranks();
    int result = kSuccess;
    switch (random() % 4) {
      case 0:
        result =
            ncclAllReduce(from.get(), to.get(), count, kFloat32, kSum, rank.comm(), rank.stream());
        break;
      case 1:
        result = ncclAllGather(from.get(), to.get(), count, kFloat32, rank.comm(), rank.stream());
        break;
      case 2:
        result =
            ncclBroadcast(from.get(), to.get(), count, kFloat32, 0, rank.comm(), rank.stream());
        break;
      default:
        EXPECT(ncclGroupStart() == kSuccess);
        result = ncclSend(from.get(), count, kFloat32, next, rank.comm(), rank.stream());
        if (result == kSuccess) {
          result = ncclRecv(to.get(), count, kFloat32, previous, rank.comm(), rank.stream());
        }
        const int ended = ncclGroupEnd();
        if (result == kSuccess) result = ended;
    }
    if (result != kSuccess) report(result);
    rank.wait();
    if (rank.async_error() != kSuccess) report(rank.async_error());
  }
}

// One rank comes NUMBER seconds late. That is no error.
void late(Rank& rank, int seconds) {
  Bytes one = encode(kInt32, rank.rank() + 1);
  const DeviceBytes value(one);
  if (rank.rank() == 1) sleep(static_cast<unsigned>(seconds));
  const auto begin = Clock::now();
  EXPECT(ncclAllReduce(value.get(), value.get(), 1, kInt32, kSum, rank.comm(), rank.stream()) ==
         kSuccess);
  EXPECT(Clock::now() - begin < std::chrono::seconds(5));  // the call does not wait
  rank.wait();
  EXPECT(rank.async_error() == kSuccess);
  EXPECT(value.read() == encode(kInt32, rank.ranks() * (rank.ranks() + 1) / 2));
  rank.destroy();
}

// A late caller may already have been told of the others' disagreement.
bool is_taken(int status) { return status == kSuccess || status == kUsage; }

// All operations end, and the communicator refuses new ones.
void expect_refusal(Rank& rank) {
  expect_error(rank, kUsage);
  rank.wait();
  const DeviceBytes byte(1);
  EXPECT(ncclAllReduce(byte.get(), byte.get(), 1, kInt8, kSum, rank.comm(), rank.stream()) ==
         kUsage);
  EXPECT(ncclCommAbort(rank.comm()) == kSuccess);
}

// Rank 1 asks for something different from the others. All ranks must get an error.
void mismatch(Rank& rank, const std::string& what) {
  const bool odd = rank.rank() == 1;
  const DeviceBytes buffer(4096 * rank.ranks());
  const std::size_t count = odd && what == "count" ? 9 : odd && what == "none" ? 0 : 10;
  const int type = odd && what == "type" ? kInt32 : kFloat32;
  const int operation = odd && what == "operator" ? kMax : kSum;
  if (what == "root") {
    EXPECT(is_taken(ncclReduce(buffer.get(), buffer.get(), count, type, operation,
                               odd ? 0 : rank.ranks() - 1, rank.comm(), rank.stream())));
  } else if (odd && what == "kind") {
    EXPECT(is_taken(
        ncclAllGather(buffer.get(), buffer.get(), count, type, rank.comm(), rank.stream())));
  } else {
    EXPECT(is_taken(ncclAllReduce(buffer.get(), buffer.get(), count, type, operation, rank.comm(),
                                  rank.stream())));
  }
  expect_refusal(rank);
}

// Rank 1 receives a different number of bytes from what rank 0 sends. The third rank must get the
// error too.
void mismatched_message(Rank& rank, std::size_t sent, std::size_t received) {
  const DeviceBytes buffer(std::max(sent, received));
  if (rank.rank() == 0) {
    EXPECT(is_taken(ncclSend(buffer.get(), sent, kInt8, 1, rank.comm(), rank.stream())));
  } else if (rank.rank() == 1) {
    EXPECT(is_taken(ncclRecv(buffer.get(), received, kInt8, 0, rank.comm(), rank.stream())));
  }
  expect_refusal(rank);
}

// Rank 0 waits for a message that nobody sends, and then aborts.
void abort_while_stuck(Rank& rank) {
  const DeviceBytes buffer(100);
  if (rank.rank() == 0) {
    EXPECT(ncclRecv(buffer.get(), 100, kInt8, 1, rank.comm(), rank.stream()) == kSuccess);
    usleep(200000);
    EXPECT(cudaStreamQuery(rank.stream()) == kNotReady);
    EXPECT(ncclCommAbort(rank.comm()) == kSuccess);
    rank.wait();
    EXPECT(ncclCommDestroy(rank.comm()) == kArgument);
    return;
  }
  expect_error(rank, kRemote);
  EXPECT(ncclCommAbort(rank.comm()) == kSuccess);
}

// Rank 1 exits without a goodbye after finishing its work. What it sent must still arrive.
void leave_silently(Rank& rank) {
  const Bytes pattern(100000, static_cast<std::uint8_t>(0x5a));
  const DeviceBytes buffer(rank.rank() == 1 ? pattern : Bytes(100000, 0));
  if (rank.rank() == 1) {
    EXPECT(ncclSend(buffer.get(), 100000, kInt8, 0, rank.comm(), rank.stream()) == kSuccess);
    rank.wait();
    std::_Exit(0);
  }
  expect_error(rank, kRemote);
  if (rank.rank() != 0) return;
  EXPECT(ncclRecv(buffer.get(), 100000, kInt8, 1, rank.comm(), rank.stream()) == kSuccess);
  rank.wait();
  EXPECT(buffer.read() == pattern);
  EXPECT(ncclRecv(buffer.get(), 1, kInt8, 1, rank.comm(), rank.stream()) == kSuccess);
  rank.wait();
  EXPECT(ncclRecv(buffer.get(), 1, kInt8, 1, rank.comm(), rank.stream()) == kRemote);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string what = argv[4];
  const int number = argc > 5 ? std::atoi(argv[5]) : 0;
  Rank rank(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  if (what == "busy") {
    busy(rank);
  } else if (what == "late") {
    late(rank, number);
  } else if (what == "abort") {
    abort_while_stuck(rank);
  } else if (what == "message") {
    if (argc < 7) return 2;
    mismatched_message(rank, number, std::atoi(argv[6]));
  } else if (what == "leave") {
    leave_silently(rank);
  } else {
    mismatch(rank, what);
  }
  std::printf("ok\n");
  return 0;
}

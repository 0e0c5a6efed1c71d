// races ROUNDS SEED: ranks as threads. Aborts, splits, shrinks and registrations race with
// collectives.
// Every call must end, with success or with an error that NCCL documents for it; what a split's
// children compute must be right.
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/collectives/cuda_names.h"
#include "tests/collectives/rank.h"

namespace {

constexpr int kRanks = 4;
constexpr std::size_t kBytes = 1 << 20;

std::atomic<int> failures{0};

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "%s\n", what.c_str());
}

void expect_success(int result, const char* call) {
  expect(result == kSuccess, std::string(call) + " returned " + std::to_string(result));
}

// A rank of a round. Another of the round may be lost at any time.
struct Member {
  int rank;
  ncclComm_t comm;
  float* memory;
  cudaStream_t stream;
};

using Scene = std::function<void(const Member&)>;

// One rank is aborted by a second thread while all compute; then the others abort.
Scene abort_of(int victim, useconds_t late) {
  return [=](const Member& me) {
    std::thread other;
    if (me.rank == victim) {
      other = std::thread([&] {
        usleep(late);
        expect_success(ncclCommAbort(me.comm), "ncclCommAbort");
      });
    }
    // The victim makes few calls: its communicator may be gone afterwards.
    for (int i = 0; i < (me.rank == victim ? 4 : 20); ++i) {
      const int result =
          ncclAllReduce(me.memory, me.memory, kBytes / 16, kFloat32, kSum, me.comm, me.stream);
      if (result == kSuccess) continue;
      expect(result == kRemote || result == kArgument || result == kSystem,
             "ncclAllReduce beside an abort returned " + std::to_string(result));
      break;
    }
    if (other.joinable()) {
      other.join();
    } else {
      usleep(late);
      expect_success(ncclCommAbort(me.comm), "ncclCommAbort");
    }
    cudaStreamSynchronize(me.stream);
  };
}

// A split by a second thread, beside a collective of the parent.
Scene split(bool abort_children) {
  // An abort ends what the other ranks have not completed. A child may be destroyed at any time.
  const auto all_done = std::make_shared<std::barrier<>>(kRanks);
  return [=](const Member& me) {
    ncclComm_t child = nullptr;
    const float ones[256] = {1};
    cudaMemcpy(me.memory, ones, sizeof ones, kHostToDevice);
    std::thread other([&] {
      expect_success(ncclCommSplit(me.comm, me.rank % 2, me.rank, &child, nullptr),
                     "ncclCommSplit");
    });
    other.join();
    if (child == nullptr) return expect(false, "ncclCommSplit gave no communicator");
    expect_success(ncclAllReduce(me.memory, me.memory, 256, kFloat32, kSum, child, me.stream),
                   "ncclAllReduce of a child");
    cudaStreamSynchronize(me.stream);
    float first = 0;
    cudaMemcpy(&first, me.memory, sizeof first, kDeviceToHost);
    expect(first == kRanks / 2.0F, "the sum of a child is " + std::to_string(first));
    if (!abort_children) expect_success(ncclCommDestroy(child), "ncclCommDestroy of a child");
    all_done->arrive_and_wait();
    if (abort_children) expect_success(ncclCommAbort(child), "ncclCommAbort of a child");
    expect_success(ncclCommAbort(me.comm), "ncclCommAbort");
  };
}

// All but one rank go on without it.
Scene shrink(int leaver, int flags) {
  const auto all_done = std::make_shared<std::barrier<>>(kRanks);
  return [=](const Member& me) {
    expect_success(
        ncclAllReduce(me.memory, me.memory, kBytes / 64, kFloat32, kSum, me.comm, me.stream),
        "ncclAllReduce");
    if (me.rank != leaver) {
      ncclComm_t child = nullptr;
      int leaving[] = {leaver};
      expect_success(ncclCommShrink(me.comm, leaving, 1, &child, nullptr, flags), "ncclCommShrink");
      if (child == nullptr) return expect(false, "ncclCommShrink gave no communicator");
      const float ones[256] = {1};
      cudaMemcpy(me.memory, ones, sizeof ones, kHostToDevice);
      expect_success(ncclAllReduce(me.memory, me.memory, 256, kFloat32, kSum, child, me.stream),
                     "ncclAllReduce of those that stay");
      cudaStreamSynchronize(me.stream);
      float first = 0;
      cudaMemcpy(&first, me.memory, sizeof first, kDeviceToHost);
      expect(first == kRanks - 1, "the sum of those that stay is " + std::to_string(first));
      expect_success(ncclCommDestroy(child), "the end of those that stay");
    }
    all_done->arrive_and_wait();
    expect_success(ncclCommAbort(me.comm), "ncclCommAbort");
  };
}

// Memory is registered and windows are opened and closed while a collective uses the memory.
Scene windows() {
  return [](const Member& me) {
    void* registered = nullptr;
    void* window = nullptr;
    expect_success(ncclCommRegister(me.comm, me.memory, kBytes, &registered), "ncclCommRegister");
    expect_success(ncclCommWindowRegister(me.comm, me.memory, kBytes, &window, 0),
                   "ncclCommWindowRegister");
    expect_success(
        ncclAllReduce(me.memory, me.memory, kBytes / 64, kFloat32, kSum, me.comm, me.stream),
        "ncclAllReduce");
    if (window != nullptr)
      expect_success(ncclCommWindowDeregister(me.comm, window), "ncclCommWindowDeregister");
    if (registered != nullptr)
      expect_success(ncclCommDeregister(me.comm, registered), "ncclCommDeregister");
    cudaStreamSynchronize(me.stream);
    expect_success(ncclCommFinalize(me.comm), "ncclCommFinalize");
    expect_success(ncclCommDestroy(me.comm), "ncclCommDestroy");
  };
}

void play(const Scene& scene) {
  ncclUniqueId id;
  expect_success(ncclGetUniqueId(&id), "ncclGetUniqueId");
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back([&, rank] {
      cudaSetDevice(rank);
      Member me{rank, nullptr, nullptr, nullptr};
      const int result = ncclCommInitRank(&me.comm, kRanks, id, rank);
      // A rank that is done early may already have aborted.
      if (result != kSuccess)
        return expect(result == kRemote, "ncclCommInitRank returned " + std::to_string(result));
      cudaMalloc(reinterpret_cast<void**>(&me.memory), kBytes);
      cudaStreamCreate(&me.stream);
      scene(me);
      cudaStreamDestroy(me.stream);
      cudaFree(me.memory);
    });
  }
  for (std::thread& rank : ranks) rank.join();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  std::mt19937 random(static_cast<unsigned int>(std::atoi(words[2])));
  for (int round = std::atoi(words[1]); round > 0; --round) {
    alarm(60);  // A call that never ends fails the test.
    const auto late = static_cast<useconds_t>(random() % 3000);
    switch (random() % 4) {
      case 0:
        play(abort_of(static_cast<int>(random() % kRanks), late));
        break;
      case 1:
        play(split(random() % 2 == 0));
        break;
      case 2:
        play(shrink(static_cast<int>(random() % kRanks), static_cast<int>(random() % 2)));
        break;
      default:
        play(windows());
    }
  }
  if (failures == 0) std::printf("ok\n");
  return failures == 0 ? 0 : 1;
}

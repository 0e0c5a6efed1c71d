// A sum over two ranks, which are threads with a device each.
#include <thread>

#include "tests/long_run/work.h"

namespace {
void be_rank(const ncclUniqueId& id, int ranks, int rank, unsigned seed) {
  constexpr std::size_t kCount = 256;
  OK(cudaSetDevice(rank));
  ncclComm_t communicator = nullptr;
  OK(ncclCommInitRank(&communicator, ranks, id, rank));
  Numbers expected(kCount);
  for (int i = 0; i < ranks; ++i) {
    const Numbers theirs = numbers(kCount, seed + static_cast<unsigned>(i));
    for (std::size_t k = 0; k < kCount; ++k) expected[k] += theirs[k];
  }
  {
    const Memory memory(numbers(kCount, seed + static_cast<unsigned>(rank)));
    const Stream stream;
    OK(ncclAllReduce(memory.get(), memory.get(), kCount, ncclFloat32, ncclSum, communicator,
                     stream));
    stream.wait();
    compare("NCCL", expected, memory.values());
  }
  OK(ncclCommDestroy(communicator));
}
}  // namespace

void use_nccl(unsigned seed) {
  int ranks = 0;
  OK(cudaGetDeviceCount(&ranks));
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(be_rank, id, ranks, rank, seed);
  for (std::thread& thread : threads) thread.join();
}

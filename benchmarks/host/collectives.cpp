// All-reduce of the CPU stand-in over four and over eight processes on one host, against gloo's own
// ring over the same processes through its TCP transport.
//
// The two are measured in turn, again and again in one run. The table shows medians and quartiles
// of the ratios; above 1.00 the stand-in is faster.
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <mccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/results.h"
#include "benchmarks/samples.h"

namespace {

void check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::_Exit(1);
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Rank {
 public:
  Rank(int rank, int ranks, const mcclUniqueId& id, const std::string& folder)
      : rank_(rank), ranks_(ranks) {
    check(mcclCommInitRank(&comm_, ranks, id, rank) == mcclSuccess, "mcclCommInitRank");
    check(musaStreamCreate(&stream_) == musaSuccess, "musaStreamCreate");
    gloo::transport::tcp::attr attributes;
    attributes.hostname = "127.0.0.1";
    auto device = gloo::transport::tcp::CreateDevice(attributes);
    gloo::rendezvous::FileStore store(folder);
    auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
    context->connectFullMesh(store, device);
    context_ = context;
  }

  // `at_least` is the expected ratio.
  void compare(std::size_t bytes, int repetitions, double at_least) {
    const std::size_t count = bytes / sizeof(float);
    float* ours = nullptr;
    check(musaMalloc(reinterpret_cast<void**>(&ours), bytes) == musaSuccess, "musaMalloc");
    std::vector<float> theirs(count, 1);
    std::fill(ours, ours + count, 1.0F);
    bench::Samples samples;
    for (int turn = -2; turn < repetitions; ++turn) {
      meet();
      const double own = seconds_of([&] {
        mcclAllReduce(ours, ours, count, mcclFloat, mcclSum, comm_, stream_);
        musaStreamSynchronize(stream_);
      });
      meet();
      const double gloo = seconds_of([&] {
        gloo::AllreduceOptions options(context_);
        options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
        options.setOutput(theirs.data(), count);
        options.setReduceFunction([](void* to, const void* left, const void* right, std::size_t n) {
          gloo::sum<float>(to, left, right, n);
        });
        gloo::allreduce(options);
      });
      if (turn < 0) continue;  // warm-up: touches buffers and opens connections
      samples.add("all-reduce", "ratio", gloo / own);
      samples.add("all-reduce", "own", own * 1e6);
      samples.add("all-reduce", "gloo", gloo * 1e6);
    }
    check(ours[count - 1] == theirs[count - 1], "all-reduce");
    if (rank_ == 0) {
      const bench::Spread ratio = samples.spread("all-reduce", "ratio");
      std::printf(
          "all-reduce of %zu KiB over %d local ranks against gloo's ring  %.2f (%.2f-%.2f)  %.0f "
          "us, gloo %.0f us\n",
          bytes / 1024, ranks_, ratio.median, ratio.low, ratio.high,
          samples.spread("all-reduce", "own").median, samples.spread("all-reduce", "gloo").median);
      std::fflush(stdout);
      bench::save_result("all-reduce of " + std::to_string(bytes / 1024) + " KiB, " +
                             std::to_string(ranks_) + " local ranks",
                         "against gloo's ring", "ratio", ratio, {0, at_least});
    }
    check(musaFree(ours) == musaSuccess, "musaFree");
  }

  void end() {
    meet();
    mcclCommDestroy(comm_);
  }

 private:
  void meet() {
    gloo::BarrierOptions options(context_);
    gloo::barrier(options);
  }

  const int rank_, ranks_;
  mcclComm_t comm_ = nullptr;
  musaStream_t stream_ = nullptr;
  std::shared_ptr<gloo::Context> context_;
};

// The eight ranks have more than the cores of most machines: who waits must let the others compute.
void run_rank(Rank& self, int ranks, int scale) {
  self.compare(std::size_t{8} << 10, 5 * scale, 1.0);
  self.compare(std::size_t{ranks > 4 ? 1U : 64U} << 20, 1 + 15 * scale / 100,
               ranks > 4 ? 1.0 : 1.5);
  self.end();
}

// Whether all ranks ended well.
bool run(int ranks, int scale) {
  std::string folder = (std::filesystem::temp_directory_path() / "collectives-XXXXXX").string();
  check(mkdtemp(folder.data()) != nullptr, "mkdtemp");
  mcclUniqueId id;
  check(mcclGetUniqueId(&id) == mcclSuccess, "mcclGetUniqueId");
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    Rank self(rank, ranks, id, folder);
    run_rank(self, ranks, scale);
    std::_Exit(0);
  }
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    check(waitpid(child, &status, 0) == child, "waitpid");
    failed |= status;
  }
  std::filesystem::remove_all(folder);
  return failed == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 100;  // percent of the repetitions
  return run(4, scale) && run(8, scale) ? 0 : 1;
}

// program [--work=NAME,...] [--leak=WHAT] [--compile-every=ROUNDS] [--threads=COUNT]
// Does one round of all kinds of work, or of those named, for each line on its input, and ends with
// the input. With --threads, so many threads do a round at once, and live as long as the program.
// After a round it writes a line: the round's number, and the bytes of free memory of the first
// device. Ends with 1 and a line on stderr if a call fails or a result is wrong, with 2 if the
// arguments are wrong.
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/long_run/work.h"

namespace {
constexpr struct {
  const char* name;
  void (*run)(unsigned);
} kWorks[] = {{"memory", use_memory},     {"virtual", use_virtual_memory},
              {"contexts", use_contexts}, {"streams", use_streams},
              {"kernels", use_kernels},   {"graphs", use_graphs},
              {"cublas", use_cublas},     {"cublasLt", use_cublasLt},
              {"cufft", use_cufft},       {"curand", use_curand},
              {"nccl", use_nccl},         {"nvml", use_nvml},
              {"children", use_children}, {"threads", use_threads},
              {"nvrtc", use_nvrtc}};

struct Options {
  std::string works;  // ",NAME,NAME,", or empty for all.
  const char* leak = nullptr;
  unsigned compile_every = 1, threads = 1;
};

const char* value_of(const char* argument, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 ? argument + length : nullptr;
}

bool parse(int count, char** arguments, Options* out) {
  for (int i = 1; i < count; ++i) {
    if (const char* works = value_of(arguments[i], "--work=")) {
      out->works = "," + std::string(works) + ",";
    } else if (const char* leak = value_of(arguments[i], "--leak=")) {
      out->leak = leak;
    } else if (const char* every = value_of(arguments[i], "--compile-every=")) {
      out->compile_every = static_cast<unsigned>(std::atoi(every));
    } else if (const char* threads = value_of(arguments[i], "--threads=")) {
      out->threads = static_cast<unsigned>(std::atoi(threads));
    } else {
      return false;
    }
  }
  return out->compile_every > 0 && out->threads > 0;
}

// Each thread begins with another kind of work, so that different ones meet.
void do_round(unsigned round, unsigned thread, const Options& options) {
  constexpr std::size_t kCount = std::size(kWorks);
  const std::size_t first = round + thread * (kCount / options.threads);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto& work = kWorks[(first + i) % kCount];
    const std::string name = "," + std::string(work.name) + ",";
    if (!options.works.empty() && options.works.find(name) == std::string::npos) continue;
    // Compiling takes longer than all the rest.
    if (work.run == use_nvrtc && (thread != 0 || round % options.compile_every != 0)) continue;
    work.run(round + thread);
  }
}

// The threads besides the first. Each does a round when the first one does.
class Others {
 public:
  explicit Others(const Options& options) : begin_(options.threads), end_(options.threads) {
    for (unsigned thread = 1; thread < options.threads; ++thread) {
      threads_.emplace_back([this, &options, thread] {
        for (begin_.arrive_and_wait(); !ending_; begin_.arrive_and_wait()) {
          do_round(round_, thread, options);
          end_.arrive_and_wait();
        }
      });
    }
  }
  Others(const Others&) = delete;
  Others& operator=(const Others&) = delete;
  ~Others() {
    ending_ = true;
    begin_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }
  void begin(unsigned round) {
    round_ = round;
    begin_.arrive_and_wait();
  }
  void wait() { end_.arrive_and_wait(); }

 private:
  std::barrier<> begin_, end_;
  bool ending_ = false;
  unsigned round_ = 0;
  std::vector<std::thread> threads_;
};
}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--child") == 0) {
    work_as_child();
    return 0;
  }
  Options options;
  if (!parse(count, arguments, &options)) {
    std::fprintf(
        stderr,
        "usage: %s [--work=NAME,...] [--leak=WHAT] [--compile-every=ROUNDS] [--threads=COUNT]\n",
        arguments[0]);
    return 2;
  }
  Others others(options);
  unsigned round = 0;
  for (int character = std::getchar(); character != EOF; character = std::getchar()) {
    if (character != '\n') continue;
    others.begin(round);
    do_round(round, 0, options);
    others.wait();
    if (options.leak && !leak(options.leak)) {
      std::fprintf(stderr, "%s: nothing is known of --leak=%s\n", arguments[0], options.leak);
      return 2;
    }
    std::size_t available = 0, total = 0;
    OK(cudaMemGetInfo(&available, &total));
    std::printf("%u %zu\n", ++round, available);
    std::fflush(stdout);
  }
  return 0;
}

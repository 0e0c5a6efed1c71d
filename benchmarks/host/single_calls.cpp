// Single calls of one runtime of the stand-in, so that those of two releases can be compared:
//   torchada_single_calls LIBRARY --count        each call, for callgrind (instructions_test.py)
//   torchada_single_calls LIBRARY CALL TIMES     one call so many times, for a clock outside
#include <dlfcn.h>
#include <musa_runtime_api.h>
#include <semaphore.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

// Callgrind writes its counts whenever this is entered.
extern "C" __attribute__((noinline)) void instructions_mark() { asm volatile("" ::: "memory"); }

namespace {

void* library = nullptr;

// The function of that name in the library.
#define OF_LIBRARY(function) (reinterpret_cast<decltype(&::function)>(find(#function)))

void* find(const char* name) {
  void* const found = dlsym(library, name);
  if (found != nullptr) return found;
  std::fprintf(stderr, "%s\n", dlerror());
  std::exit(1);
}

void check(musaError_t status, const char* what) {
  if (status == musaSuccess) return;
  std::fprintf(stderr, "%s: status %d\n", what, static_cast<int>(status));
  std::exit(1);
}

struct Call {
  std::string name;
  std::function<void()> make;
  // Whether it enqueues work: its stream is held meanwhile, so that only the call counts.
  bool enqueues = false;
};

class Calls {
 public:
  Calls() {
    check(OF_LIBRARY(musaSetDevice)(0), "musaSetDevice");
    check(OF_LIBRARY(musaStreamCreate)(&stream_), "musaStreamCreate");
    check(OF_LIBRARY(musaEventCreate)(&event_), "musaEventCreate");
    check(OF_LIBRARY(musaMalloc)(&memory_, 4096), "musaMalloc");
    check(OF_LIBRARY(musaMallocHost)(&host_, 4096), "musaMallocHost");
    sem_init(&release_, 0, 0);
  }

  std::vector<Call> all();

  void hold() {
    const auto wait = [](void* semaphore) { sem_wait(static_cast<sem_t*>(semaphore)); };
    check(OF_LIBRARY(musaLaunchHostFunc)(stream_, wait, &release_), "musaLaunchHostFunc");
  }
  void let_go() {
    sem_post(&release_);
    check(OF_LIBRARY(musaStreamSynchronize)(stream_), "musaStreamSynchronize");
  }

 private:
  musaStream_t stream_ = nullptr;
  musaEvent_t event_ = nullptr;
  void* memory_ = nullptr;
  void* host_ = nullptr;
  sem_t release_;
};

// Calls `function` of the library with the arguments.
#define CALL(function, ...) \
  [=, this, found = OF_LIBRARY(function)] { check(found(__VA_ARGS__), #function); }
// The same for a pair that makes something and destroys it.
#define MAKE(Type, make, destroy)                                    \
  [made_by = OF_LIBRARY(make), destroyed_by = OF_LIBRARY(destroy)] { \
    Type made = nullptr;                                             \
    check(made_by(&made), #make);                                    \
    check(destroyed_by(made), #destroy);                             \
  }

std::vector<Call> Calls::all() {
  static musaDeviceProp properties;
  static musaPointerAttributes attributes;
  static std::size_t available;
  static std::size_t total;
  static int value;
  static int own;
  const auto nothing = [](void*) {};
  return {
      {"setDevice", CALL(musaSetDevice, 0)},
      {"getDevice", CALL(musaGetDevice, &value)},
      {"deviceGetAttribute",
       CALL(musaDeviceGetAttribute, &value, musaDevAttrComputeCapabilityMajor, 0)},
      {"getDeviceProperties", CALL(musaGetDeviceProperties, &properties, 0)},
      {"memGetInfo", CALL(musaMemGetInfo, &available, &total)},
      {"eventCreate and eventDestroy", MAKE(musaEvent_t, musaEventCreate, musaEventDestroy)},
      {"eventQuery", CALL(musaEventQuery, event_)},
      {"streamCreate and streamDestroy", MAKE(musaStream_t, musaStreamCreate, musaStreamDestroy)},
      {"streamQuery, nothing to wait for", CALL(musaStreamQuery, stream_)},
      {"deviceSynchronize, nothing to wait for", CALL(musaDeviceSynchronize)},
      {"attributes of a pointer into device memory",
       CALL(musaPointerGetAttributes, &attributes, memory_)},
      {"attributes of a pointer of the program", CALL(musaPointerGetAttributes, &attributes, &own)},
      {"malloc and free of 256 bytes",
       [made_by = OF_LIBRARY(musaMalloc), destroyed_by = OF_LIBRARY(musaFree)] {
         void* made = nullptr;
         check(made_by(&made, 256), "musaMalloc");
         check(destroyed_by(made), "musaFree");
       }},
      {"memset of 256 bytes", CALL(musaMemset, memory_, 0, 256)},
      {"memcpy of 256 bytes to the device",
       CALL(musaMemcpy, memory_, host_, 256, musaMemcpyHostToDevice)},
      {"memcpy of 256 bytes to the host",
       CALL(musaMemcpy, host_, memory_, 256, musaMemcpyDeviceToHost)},
      {"launchHostFunc", CALL(musaLaunchHostFunc, stream_, nothing, nullptr), true},
      {"memsetAsync of 256 bytes", CALL(musaMemsetAsync, memory_, 0, 256, stream_), true},
      {"memcpyAsync of 256 bytes within the device",
       CALL(musaMemcpyAsync, memory_, static_cast<char*>(memory_) + 1024, 256,
            musaMemcpyDeviceToDevice, stream_),
       true},
      {"eventRecord", CALL(musaEventRecord, event_, stream_), true},
      {"mallocAsync and freeAsync of 256 bytes",
       [stream = stream_, made_by = OF_LIBRARY(musaMallocAsync),
        destroyed_by = OF_LIBRARY(musaFreeAsync)] {
         void* made = nullptr;
         check(made_by(&made, 256, stream), "musaMallocAsync");
         check(destroyed_by(made, stream), "musaFreeAsync");
       },
       true},
  };
}

void repeat(int times, const std::function<void()>& call) {
  for (int i = 0; i < times; ++i) call();
}

void run(Calls& calls, const Call& call, const std::function<void()>& work) {
  repeat(10, call.make);
  if (call.enqueues) calls.hold();
  repeat(10, call.make);
  work();
  if (call.enqueues) calls.let_go();
}

// Two marks around the calls, and two around nothing (instructions_test.py).
void count(Calls& calls, const Call& call) {
  run(calls, call, [&] {
    instructions_mark();
    repeat(1000, call.make);
    instructions_mark();
  });
  instructions_mark();
  instructions_mark();
  std::printf("%s\n", call.name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const bool counts = argc == 3 && std::strcmp(argv[2], "--count") == 0;
  if (!counts && argc != 4) {
    std::fprintf(stderr, "usage: %s LIBRARY --count | LIBRARY CALL TIMES\n", argv[0]);
    return 2;
  }
  library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  Calls calls;
  bool found = counts;
  for (const Call& call : calls.all()) {
    if (counts) count(calls, call);
    if (counts || call.name != argv[2]) continue;
    run(calls, call, [&] { repeat(std::atoi(argv[3]), call.make); });
    found = true;
  }
  if (!found) std::fprintf(stderr, "there is no call %s\n", argv[2]);
  return found ? 0 : 2;
}

// Callbacks that a program gets from our CUPTI, against the CPU stand-in.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/profiler/program.h"

namespace {

using namespace witness;

struct Seen {
  std::vector<std::string> sites;
  std::uint64_t own = 0;
  std::size_t bytes = 0;
  int nested = 0;
};

void on_call(void* data, std::uint32_t domain, std::uint32_t, const void* details) {
  auto& seen = *static_cast<Seen*>(data);
  const auto& call = *static_cast<const CallbackData*>(details);
  if (domain != kRuntimeApi) return;
  seen.sites.push_back(std::string(call.function) + (call.site == 0 ? " begins" : " ends"));
  if (std::string(call.function) != "cudaMemset") return;
  if (call.site == 0) {
    *call.own = 99;
    std::memcpy(&seen.bytes, static_cast<const char*>(call.parameters) + 16, sizeof seen.bytes);
  } else {
    seen.own = *call.own;
    EXPECT_EQ(0, *static_cast<int*>(call.result));
  }
  int device = -1;
  EXPECT_EQ(0, cudaGetDevice(&device));  // Not seen: it is not the program's.
  ++seen.nested;
}

TEST_F(Profiler, callbacks_come_before_and_after_a_call) {
  Seen seen;
  void* subscriber = nullptr;
  void* other = nullptr;
  ASSERT_EQ(kSuccess, cuptiSubscribe(&subscriber, on_call, &seen));
  EXPECT_EQ(kSubscribedAlready, cuptiSubscribe(&other, on_call, &seen));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  EXPECT_TRUE(seen.sites.empty());
  ASSERT_EQ(kSuccess, cuptiEnableDomain(1, subscriber, kRuntimeApi));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 48));
  EXPECT_EQ((std::vector<std::string>{"cudaMemset begins", "cudaMemset ends"}), seen.sites);
  EXPECT_EQ(99U, seen.own);
  EXPECT_EQ(48U, seen.bytes);
  EXPECT_EQ(2, seen.nested);
  ASSERT_EQ(kSuccess, cuptiUnsubscribe(subscriber));
  EXPECT_EQ(kInvalidParameter, cuptiUnsubscribe(subscriber));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  EXPECT_EQ(2U, seen.sites.size());
}

struct Resources {
  std::vector<std::string> seen;
  std::vector<void*> contexts, streams;
};

void on_resource(void* data, std::uint32_t domain, std::uint32_t id, const void* details) {
  auto& resources = *static_cast<Resources*>(data);
  const auto& resource = *static_cast<const ResourceData*>(details);
  EXPECT_EQ(kResource, domain);
  resources.seen.push_back(id == kContextCreated      ? "context made"
                           : id == kContextDestroying ? "context ends"
                           : id == kStreamCreated     ? "stream made"
                           : id == kStreamDestroying  ? "stream ends"
                                                      : "?");
  resources.contexts.push_back(resource.context);
  resources.streams.push_back(resource.stream);
}

TEST_F(Profiler, callbacks_of_streams_and_contexts) {
  Resources resources;
  void* subscriber = nullptr;
  ASSERT_EQ(kSuccess, cuptiSubscribe(&subscriber, on_resource, &resources));
  ASSERT_EQ(kSuccess, cuptiEnableDomain(1, subscriber, kResource));
  void* stream = nullptr;
  void* context = nullptr;
  EXPECT_EQ(0, cudaStreamCreate(&stream));
  EXPECT_EQ(0, cuCtxCreate_v2(&context, 0, 0));
  EXPECT_EQ(0, cuCtxDestroy_v2(context));
  EXPECT_EQ(0, cudaStreamDestroy(stream));
  EXPECT_NE(0, cudaStreamCreate(nullptr));
  EXPECT_EQ(
      (std::vector<std::string>{"stream made", "context made", "context ends", "stream ends"}),
      resources.seen);
  EXPECT_EQ((std::vector<void*>{stream, nullptr, nullptr, stream}), resources.streams);
  ASSERT_EQ(4U, resources.contexts.size());
  EXPECT_NE(nullptr, resources.contexts[0]);
  EXPECT_EQ(context, resources.contexts[1]);
  EXPECT_EQ(context, resources.contexts[2]);
  ASSERT_EQ(kSuccess, cuptiUnsubscribe(subscriber));
}

TEST_F(Profiler, domains_without_callbacks_are_refused) {
  void* subscriber = nullptr;
  ASSERT_EQ(kSuccess, cuptiSubscribe(&subscriber, on_call, nullptr));
  EXPECT_EQ(kNotSupported, cuptiEnableDomain(1, subscriber, kNvtx));
  EXPECT_EQ(kNotSupported, cuptiEnableCallback(1, subscriber, kNvtx, 1));
  EXPECT_EQ(kInvalidParameter, cuptiEnableDomain(1, subscriber, 4000));
  // TensorFlow would not profile at all if these were refused.
  EXPECT_EQ(kSuccess, cuptiEnableCallback(1, subscriber, kResource, kModuleLoaded));
  ASSERT_EQ(kSuccess, cuptiUnsubscribe(subscriber));
}

TEST_F(Profiler, a_program_subscribes_beside_calls_of_other_threads) {
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      while (!ends) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
    });
  }
  for (int i = 0; i < 50; ++i) {
    static Seen unused;
    void* subscriber = nullptr;
    ASSERT_EQ(kSuccess,
              cuptiSubscribe(
                  &subscriber, [](void*, std::uint32_t, std::uint32_t, const void*) {}, &unused));
    ASSERT_EQ(kSuccess, cuptiEnableDomain(1, subscriber, kRuntimeApi));
    enable({kRuntime, kMemset});
    flush();
    ASSERT_EQ(kSuccess, cuptiFinalize());
    ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(request, complete));
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
  dropped();  // Work that began by another clock than it ended by.
}

TEST_F(Profiler, a_child_of_fork_records_nothing) {
  enable({kRuntime});
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  const pid_t child = fork();
  if (child == 0) {
    int device = 0;
    cudaGetDevice(&device);
    cuptiActivityFlushAll(1);
    _exit(records.empty() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  flush();
  EXPECT_EQ(1U, records[kRuntime].size());
}

}  // namespace

// Registered code is found by its address until its module is unregistered.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "tests/device_code/registering.h"

namespace {

TEST(Store, HoldsMoreThanPyTorchHas) {
  constexpr std::size_t kModules = 2500;
  constexpr std::size_t kEach = 20;  // more than a block of records holds
  std::vector<char> hosts(kModules * kEach);
  std::vector<std::unique_ptr<Module>> modules;
  for (std::size_t m = 0; m < kModules; ++m) {
    modules.push_back(std::make_unique<Module>());
    for (std::size_t i = m * kEach; i < (m + 1) * kEach; ++i) {
      modules.back()->variable(&hosts[i], "variable", i + 1);
    }
  }
  std::size_t right = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) right += size_of(&hosts[i]) == i + 1;
  EXPECT_EQ(hosts.size(), right);
  // Unregister every second module.
  for (std::size_t m = 0; m < kModules; m += 2) modules[m].reset();
  right = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    right += size_of(&hosts[i]) == (i / kEach % 2 == 0 ? 0 : i + 1);
  }
  EXPECT_EQ(hosts.size(), right);
  // Register them again with other sizes.
  for (std::size_t m = 0; m < kModules; m += 2) {
    modules[m] = std::make_unique<Module>();
    for (std::size_t i = m * kEach; i < (m + 1) * kEach; ++i) {
      modules[m]->variable(&hosts[i], "variable", i + 7);
    }
  }
  right = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    right += size_of(&hosts[i]) == (i / kEach % 2 == 0 ? i + 7 : i + 1);
  }
  EXPECT_EQ(hosts.size(), right);
}

TEST(Store, FindsWhatCameAfterTheFirstQuestion) {
  char first = 0;
  char later = 0;
  const Module module;
  module.variable(&first, "first", 1);
  EXPECT_EQ(1u, size_of(&first));
  module.variable(&later, "later", 2);
  EXPECT_EQ(2u, size_of(&later));
  EXPECT_EQ(1u, size_of(&first));
}

// The stub of a template's kernel is one function for all libraries that instantiate the template.
TEST(Store, AnAddressOfTwoModulesStaysWithTheSecond) {
  char shared = 0;
  auto first = std::make_unique<Module>();
  auto second = std::make_unique<Module>();
  first->kernel(&shared, "_Z6sharedv");
  EXPECT_EQ(kNoImage, launch(&shared));
  second->kernel(&shared, "_Z6sharedv");
  EXPECT_EQ(kNoImage, launch(&shared));
  first.reset();
  EXPECT_EQ(kNoImage, launch(&shared));
  second.reset();
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, launch(&shared));
}

TEST(Store, ModulesThatNeverAskedAreTakenBack) {
  char host = 0;
  {
    const Module module;
    module.variable(&host, "host", 3);
  }
  EXPECT_EQ(0u, size_of(&host));
}

TEST(Store, StrangeHandlesChangeNothing) {
  char host = 0;
  void* strange[8] = {};
  const auto module = std::make_unique<Module>();
  void** const gone = Module().handle();
  for (void** handle : {static_cast<void**>(nullptr), strange, gone, module->handle() + 1}) {
    __cudaRegisterVar(handle, &host, nullptr, "host", 0, 5, 0, 0);
    __cudaUnregisterFatBinary(handle);
  }
  EXPECT_EQ(0u, size_of(&host));
  // A missing address or name is ignored too.
  module->variable(nullptr, "nothing", 6);
  module->variable(&host, nullptr, 6);
  EXPECT_EQ(0u, size_of(&host));
  EXPECT_EQ(0u, size_of(nullptr));
  module->variable(&host, "host", 6);
  EXPECT_EQ(6u, size_of(&host));
}

TEST(Store, ThreadsRegisterAskAndTakeBack) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 400;
  constexpr std::size_t kEach = 33;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::vector<char> hosts(kEach);
      for (int round = 0; round < kRounds; ++round) {
        {
          const Module module;
          for (std::size_t i = 0; i < kEach; ++i) module.variable(&hosts[i], "v", i + 1);
          for (std::size_t i = 0; i < kEach; ++i) wrong += size_of(&hosts[i]) != i + 1;
        }
        for (const char& host : hosts) wrong += size_of(&host) != 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
}

}  // namespace

#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/mublas/with_handle.h"

namespace {

class MublasHandle : public host_tests::WithHandle {};

TEST_F(MublasHandle, mublasCreate_gives_a_handle_with_the_defaults) {
  mublasHandle_t fresh = nullptr;
  ASSERT_EQ(mublasCreate(&fresh), MUBLAS_STATUS_SUCCESS);
  EXPECT_NE(fresh, nullptr);
  EXPECT_NE(fresh, handle_);
  musaStream_t stream = stream_.get();
  EXPECT_EQ(mublasGetStream(fresh, &stream), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(stream, nullptr);
  auto pointers = MUBLAS_POINTER_MODE_DEVICE;
  EXPECT_EQ(mublasGetPointerMode(fresh, &pointers), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pointers, MUBLAS_POINTER_MODE_HOST);
  auto atomics = MUBLAS_ATOMICS_ALLOWED;
  EXPECT_EQ(mublasGetAtomicsMode(fresh, &atomics), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(atomics, MUBLAS_ATOMICS_NOT_ALLOWED);
  auto math = MUBLAS_TENSOR_OP_MATH;
  EXPECT_EQ(mublasGetMathMode(fresh, &math), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, MUBLAS_DEFAULT_MATH);
  EXPECT_EQ(mublasDestroy(fresh), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasCreate(nullptr), MUBLAS_STATUS_INVALID_HANDLE);
}

TEST_F(MublasHandle, mublasDestroy_ends_a_handle_once) {
  mublasHandle_t dead = nullptr;
  ASSERT_EQ(mublasCreate(&dead), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasDestroy(dead), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasDestroy(dead), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(mublasDestroy(nullptr), MUBLAS_STATUS_INVALID_HANDLE);
}

TEST_F(MublasHandle, mublasDestroy_lets_work_that_waits_be_done) {
  mublasHandle_t brief = nullptr;
  ASSERT_EQ(mublasCreate(&brief), MUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(mublasSetStream(brief, stream_.get()), MUBLAS_STATUS_SUCCESS);
  const host_tests::DeviceArray<float> x({1, 2}), y({10, 20});
  host_tests::Roadblock block(stream_);
  const float alpha = 3;
  EXPECT_EQ(mublasSaxpy(brief, 2, &alpha, x.data(), 1, y.data(), 1), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasDestroy(brief), MUBLAS_STATUS_SUCCESS);
  block.release();
  EXPECT_EQ(y.values(), (std::vector<float>{13, 26}));
}

TEST_F(MublasHandle, mublasGetVersion_knows_the_version) {
  int version = 0;
  EXPECT_EQ(mublasGetVersion(handle_, &version), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version, 11300);
  EXPECT_EQ(mublasGetVersion(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasGetVersion(nullptr, &version), MUBLAS_STATUS_INVALID_HANDLE);
}

// Checks the handle's stream: what mublasGetStream returns, and where work waits.
void expect_stream(mublasHandle_t handle, musaStream_t expected) {
  musaStream_t stream = nullptr;
  EXPECT_EQ(mublasGetStream(handle, &stream), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(stream, expected);
}

void expect_work_follows(mublasStatus_t (*set)(mublasHandle_t, musaStream_t), mublasHandle_t handle,
                         const host_tests::Stream& own) {
  const host_tests::Stream other;
  const host_tests::DeviceArray<float> x({1});
  const float alpha = 2;
  EXPECT_EQ(set(handle, other.get()), MUBLAS_STATUS_SUCCESS);
  expect_stream(handle, other.get());
  host_tests::Roadblock block(own);
  EXPECT_EQ(mublasSscal(handle, 1, &alpha, x.data(), 1), MUBLAS_STATUS_SUCCESS);
  other.wait();
  EXPECT_EQ(x.data()[0], 2);
  EXPECT_EQ(set(handle, own.get()), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSscal(handle, 1, &alpha, x.data(), 1), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(x.data()[0], 2);
  block.release();
  EXPECT_EQ(x.data()[0], 4);
  EXPECT_EQ(set(nullptr, own.get()), MUBLAS_STATUS_INVALID_HANDLE);
}

TEST_F(MublasHandle, mublasSetStream_moves_the_work) {
  expect_work_follows(mublasSetStream, handle_, stream_);
}

TEST_F(MublasHandle, mublasGetStream_knows_the_stream) {
  expect_stream(handle_, stream_.get());
  musaStream_t stream = nullptr;
  EXPECT_EQ(mublasGetStream(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasGetStream(nullptr, &stream), MUBLAS_STATUS_INVALID_HANDLE);
}

// Every valid value can be set and read back. Other values change nothing.
template <typename Mode>
void expect_mode(mublasHandle_t handle, mublasStatus_t (*set)(mublasHandle_t, Mode),
                 mublasStatus_t (*get)(mublasHandle_t, Mode*), const std::vector<Mode>& modes) {
  for (const Mode mode : modes) {
    EXPECT_EQ(set(handle, mode), MUBLAS_STATUS_SUCCESS);
    for (const int unknown : {-1, 99}) {
      EXPECT_EQ(set(handle, static_cast<Mode>(unknown)), MUBLAS_STATUS_INVALID_VALUE);
    }
    auto now = static_cast<Mode>(98);
    EXPECT_EQ(get(handle, &now), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(now, mode);
    EXPECT_EQ(get(handle, nullptr), MUBLAS_STATUS_INVALID_POINTER);
    EXPECT_EQ(get(nullptr, &now), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(set(nullptr, mode), MUBLAS_STATUS_INVALID_HANDLE);
  }
}

// A setter and getter, tested under both of their names.
struct Mode {
  const char* name;
  void (*check)(mublasHandle_t);
};
void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }

void check_pointer_mode(mublasHandle_t handle) {
  expect_mode<mublasPointerMode_t>(handle, mublasSetPointerMode, mublasGetPointerMode,
                                   {MUBLAS_POINTER_MODE_DEVICE, MUBLAS_POINTER_MODE_HOST});
}
void check_atomics_mode(mublasHandle_t handle) {
  expect_mode<mublasAtomicsMode_t>(handle, mublasSetAtomicsMode, mublasGetAtomicsMode,
                                   {MUBLAS_ATOMICS_ALLOWED, MUBLAS_ATOMICS_NOT_ALLOWED});
}
void check_math_mode(mublasHandle_t handle) {
  expect_mode<mublasMath_t>(
      handle, mublasSetMathMode, mublasGetMathMode,
      {MUBLAS_TENSOR_OP_MATH, MUBLAS_MATH_MODE_TP32_TENSOR, MUBLAS_DEFAULT_MATH});
}

class MublasMode : public host_tests::WithHandle, public testing::WithParamInterface<Mode> {};
TEST_P(MublasMode, IsRemembered) { GetParam().check(handle_); }
INSTANTIATE_TEST_SUITE_P(Handle, MublasMode,
                         testing::Values(Mode{"mublasSetPointerMode", check_pointer_mode},
                                         Mode{"mublasGetPointerMode", check_pointer_mode},
                                         Mode{"mublasSetAtomicsMode", check_atomics_mode},
                                         Mode{"mublasGetAtomicsMode", check_atomics_mode},
                                         Mode{"mublasSetMathMode", check_math_mode},
                                         Mode{"mublasGetMathMode", check_math_mode}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(MublasHandle, mublasSetWorkspace_takes_device_memory_or_nothing) {
  const host_tests::DeviceArray<float> memory(std::vector<float>(64));
  EXPECT_EQ(mublasSetWorkspace(handle_, memory.data(), 256), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSetWorkspace(handle_, nullptr, 0), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSetWorkspace(handle_, nullptr, 256), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSetWorkspace(nullptr, memory.data(), 256), MUBLAS_STATUS_INVALID_HANDLE);
}

// One handle in several threads: every call is executed, and no setting is ever half changed.
TEST_F(MublasHandle, MayBeSharedByThreads) {
  constexpr int kThreads = 4, kCalls = 200;
  const host_tests::DeviceArray<float> x(std::vector<float>(kThreads, 0)), one({1});
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const float alpha = 1;
      for (int call = 0; call < kCalls; ++call) {
        EXPECT_EQ(mublasSaxpy(handle_, 1, &alpha, one.data(), 1, x.data() + i, 1),
                  MUBLAS_STATUS_SUCCESS);
        EXPECT_EQ(mublasSetStream(handle_, stream_.get()), MUBLAS_STATUS_SUCCESS);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  stream_.wait();
  EXPECT_EQ(x.values(), std::vector<float>(kThreads, kCalls));
}

TEST_F(MublasHandle, ForeignAndDestroyedHandlesAreErrors) {
  mublasHandle_t dead = nullptr;
  ASSERT_EQ(mublasCreate(&dead), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasDestroy(dead), MUBLAS_STATUS_SUCCESS);
  int not_a_handle = 0;
  const auto foreign = reinterpret_cast<mublasHandle_t>(&not_a_handle);
  for (const mublasHandle_t handle : {mublasHandle_t{nullptr}, dead, foreign}) {
    int version = 0;
    float number = 1;
    EXPECT_EQ(mublasDestroy(handle), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasSetStream(handle, nullptr), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasGetVersion(handle, &version), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasSscal(handle, 1, &number, &number, 1), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasSdot(handle, 1, &number, 1, &number, 1, &number), MUBLAS_STATUS_INVALID_HANDLE);
  }
  EXPECT_EQ(mublasCreate(nullptr), MUBLAS_STATUS_INVALID_HANDLE);
}

TEST(MublasStatusString, mublasGetStatusString_names_every_status) {
  std::set<std::string> texts;
  for (int status = 0; status <= MUBLAS_STATUS_CHECK_NUMERICS_FAIL; ++status) {
    const char* const text = mublasGetStatusString(static_cast<mublasStatus_t>(status));
    ASSERT_NE(text, nullptr);
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 14U);
  EXPECT_STREQ(mublasGetStatusString(MUBLAS_STATUS_INVALID_SIZE), "MUBLAS_STATUS_INVALID_SIZE");
  EXPECT_NE(mublasGetStatusString(static_cast<mublasStatus_t>(-5)), nullptr);
}

}  // namespace

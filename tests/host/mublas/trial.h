// One call of a function with random arguments, and the families of tests made of them.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>

#include "tests/host/mublas/operands.h"
#include "tests/host/mublas/with_handle.h"

namespace blas_tests {

// Every other trial has its scalars on the device. Those are written only after the call, while the
// stream is still blocked; host scalars are spoilt then. So a function that reads them at the wrong
// time, or that works before its turn, gives wrong results.
class Trial {
 public:
  explicit Trial(unsigned seed) : random(seed), on_device(seed % 2 == 1), blocks_(true) {
    create();
  }
  // Of many that follow each other: all scalars on the host, and the stream is not blocked.
  explicit Trial(const Random& with) : random(with), on_device(false), blocks_(false) { create(); }
  void next(const Random& with) { random = with; }

  ~Trial() { EXPECT_EQ(mublasDestroy(handle), MUBLAS_STATUS_SUCCESS); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // An array of numbers that the function reads where the pointer mode says.
  template <typename T>
  Api<T>* scalars(const std::vector<T>& values) {
    auto memory = std::make_shared<std::vector<T>>(values);
    std::shared_ptr<host_tests::DeviceArray<T>> device;
    const std::vector<T> spoilt(values.size(), not_a_number<T>());
    if (on_device) device = std::make_shared<host_tests::DeviceArray<T>>(spoilt);
    settle_.push_back([=] {
      std::copy_n((device ? values : spoilt).data(), values.size(),
                  device ? device->data() : memory->data());
    });
    return reinterpret_cast<Api<T>*>(device ? device->data() : memory->data());
  }
  template <typename T>
  Api<T>* scalar(const T& value) {
    return scalars<T>({value});
  }

  // A call without results for the host.
  template <typename Call>
  void run(Call call) {
    std::optional<host_tests::Roadblock> block;
    if (blocks_) block.emplace(stream_);
    EXPECT_EQ(call(), MUBLAS_STATUS_SUCCESS);
    for (const auto& settle : settle_) settle();
    if (block) block->release();
    stream_.wait();
    settle_.clear();  // and with it their memory, which the stream has read by now
  }

  // A call that puts `count` results at a pointer, and what it put there.
  template <typename T, typename Call>
  std::vector<T> results(const std::vector<T>& before, Call call) {
    if (on_device) {
      const host_tests::DeviceArray<T> device(before);
      host_tests::Roadblock block(stream_);
      EXPECT_EQ(call(device.data()), MUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(std::memcmp(device.data(), before.data(), before.size() * sizeof(T)), 0);
      block.release();
      return device.values();
    }
    auto host = before;
    EXPECT_EQ(call(host.data()), MUBLAS_STATUS_SUCCESS);
    return host;
  }

  Random random;
  const bool on_device;
  mublasHandle_t handle = nullptr;

 private:
  void create() {
    EXPECT_EQ(mublasCreate(&handle), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mublasSetStream(handle, stream_.get()), MUBLAS_STATUS_SUCCESS);
    if (on_device) {
      EXPECT_EQ(mublasSetPointerMode(handle, MUBLAS_POINTER_MODE_DEVICE), MUBLAS_STATUS_SUCCESS);
    }
  }

  const bool blocks_;
  host_tests::Stream stream_;
  std::deque<std::function<void()>> settle_;
};

template <typename T>
void expect_near(const Api<T>& got, const Sum<T>& want) {
  const T number = reinterpret_cast<const T&>(got);
  EXPECT_LE(magnitude(Wide<T>(number) - want.value), want.tolerance())
      << number << " instead of " << want.value;
}

struct Case {
  const char* name;
  void (*run)(Trial&);
};

inline void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

// All of the tests, for those that run them in other ways.
inline std::vector<Case>& all_cases() {
  static std::vector<Case> cases;
  return cases;
}

inline void try_often(const Case& one) {
  for (unsigned seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Trial trial(seed);
    one.run(trial);
  }
}
// Vectors of 1 to 300 elements, which is beyond what any kernel does at once.
inline void try_every_length(const Case& one) {
  Trial trial(Random::of_length(0, true));
  for (const bool unit_increments : {true, false}) {
    for (int length = 1; length <= 300 && !testing::Test::HasFailure(); ++length) {
      SCOPED_TRACE("length " + std::to_string(length) + (unit_increments ? "" : ", strided"));
      trial.next(Random::of_length(length, unit_increments));
      one.run(trial);
    }
  }
}
inline void try_edges(const Case& one) {
  Trial trial(Random::at_edges(0));
  for (unsigned seed = 0; seed < 24 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    trial.next(Random::at_edges(seed));
    one.run(trial);
  }
}

// How often and with which arguments a case runs.
struct Attempts {
  const char* name;
  void (*run)(const Case&);
};
constexpr Attempts kOften[] = {{"MatchesReference", try_often}};
constexpr Attempts kOfVectors[] = {kOften[0], {"EveryLength", try_every_length}};
constexpr Attempts kOfMatrices[] = {kOften[0], {"EveryEdge", try_edges}};

class FamilyTest : public testing::Test {
 public:
  FamilyTest(const Case& one, const Attempts& attempts) : case_(one), attempts_(attempts) {}
  void TestBody() override { attempts_.run(case_); }

 private:
  const Case case_;
  const Attempts attempts_;
};

// By hand, because TEST_P takes half a second of compile time for each family.
inline bool register_family(const char* family, std::span<const Attempts> tests,
                            std::initializer_list<Case> cases, const char* file, int line) {
  all_cases().insert(all_cases().end(), cases);
  for (const Attempts& attempts : tests) {
    for (const Case& one : cases) {
      const std::string name = std::string(attempts.name) + "/" + one.name;
      testing::RegisterTest(family, name.c_str(), nullptr, nullptr, file, line,
                            [one, attempts]() -> testing::Test* {
                              return std::make_unique<FamilyTest>(one, attempts).release();
                            });
    }
  }
  return true;
}

}  // namespace blas_tests

#define BLAS_REGISTER(group, family, tests, ...)                                 \
  [[maybe_unused]] const bool family##_registered = blas_tests::register_family( \
      #group "/" #family, blas_tests::tests, {__VA_ARGS__}, __FILE__, __LINE__)

// Tests Group/family.MatchesReference/<function> for the cases that follow.
#define BLAS_FAMILY(group, family, ...) BLAS_REGISTER(group, family, kOften, __VA_ARGS__)
// Also Group/family.EveryLength/<function>, for vectors.
#define BLAS_VECTOR_FAMILY(group, family, ...) BLAS_REGISTER(group, family, kOfVectors, __VA_ARGS__)
// Also Group/family.EveryEdge/<function>, for matrices.
#define BLAS_MATRIX_FAMILY(group, family, ...) \
  BLAS_REGISTER(group, family, kOfMatrices, __VA_ARGS__)

// One of them: the function, checked by `check<T, function>`.
#define BLAS_CASE(check, T, function) \
  blas_tests::Case { #function, check < T, function> }

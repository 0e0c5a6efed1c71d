// The same calls to cuRAND's host generators and to ours must give the same bits. Runs only with an
// installed CUDA toolkit, which is opened at run time and never linked.
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/host/murand/any_distribution.h"

namespace {

using host_tests::OwnedGenerator;

constexpr const char* kCurand = "/usr/local/cuda/lib64/libcurand.so.10";

class Curand {
 public:
  static void* library() {
    static void* const handle = dlopen(kCurand, RTLD_NOW | RTLD_LOCAL);
    return handle;
  }

  explicit Curand(murandRngType_t type) {
    const int number = type == MURAND_RNG_PSEUDO_MRG32K3A        ? 121
                       : type == MURAND_RNG_PSEUDO_PHILOX4_32_10 ? 161
                                                                 : 101;
    EXPECT_EQ(call<int>("curandCreateGeneratorHost", &generator_, number), 0);
  }
  ~Curand() { EXPECT_EQ(call<int>("curandDestroyGenerator", generator_), 0); }
  Curand(const Curand&) = delete;
  Curand& operator=(const Curand&) = delete;

  void seed(unsigned long long seed) const {
    EXPECT_EQ(call<int>("curandSetPseudoRandomGeneratorSeed", generator_, seed), 0);
  }
  void offset(unsigned long long offset) const {
    EXPECT_EQ(call<int>("curandSetGeneratorOffset", generator_, offset), 0);
  }
  std::vector<double> draw(const std::string& function, std::size_t n, double mean,
                           double stddev) const {
    const std::string name = "cu" + function.substr(2);
    const bool wide = name.find("Double") != std::string::npos;
    const bool normal = name.find("Normal") != std::string::npos;
    if (name == "curandGenerate") return widened(filled<unsigned>(name, n));
    if (normal && wide) return filled<double>(name, n, mean, stddev);
    if (normal) {
      return widened(filled<float>(name, n, static_cast<float>(mean), static_cast<float>(stddev)));
    }
    return wide ? filled<double>(name, n) : widened(filled<float>(name, n));
  }

 private:
  template <typename Result, typename... Arguments>
  static Result call(const std::string& name, Arguments... arguments) {
    const auto function =
        reinterpret_cast<Result (*)(Arguments...)>(dlsym(library(), name.c_str()));
    EXPECT_NE(function, nullptr) << name;
    return function == nullptr ? Result{-1} : function(arguments...);
  }

  template <typename T, typename... Parameters>
  std::vector<T> filled(const std::string& name, std::size_t n, Parameters... parameters) const {
    std::vector<T> out(n + 1);
    EXPECT_EQ((call<int, void*, T*, std::size_t, Parameters...>(name, generator_, out.data(), n,
                                                                parameters...)),
              0);
    out.pop_back();
    return out;
  }

  template <typename T>
  static std::vector<double> widened(const std::vector<T>& values) {
    return {values.begin(), values.end()};
  }

  void* generator_ = nullptr;
};

const char* const kFunctions[] = {"murandGenerate", "murandGenerateUniform",
                                  "murandGenerateUniformDouble", "murandGenerateNormal",
                                  "murandGenerateNormalDouble"};

class Against : public testing::TestWithParam<std::tuple<murandRngType_t, const char*>> {
 protected:
  void SetUp() override {
    if (Curand::library() == nullptr) {
      GTEST_SKIP() << "NOT COMPARED WITH cuRAND: there is no " << kCurand;
    }
  }

  static murandRngType_t type() { return std::get<0>(GetParam()); }
  static std::string function() { return std::get<1>(GetParam()); }

  // The bits agree with glibc 2.28 and later on x86-64. Other libraries may round a logarithm or a
  // sine differently.
  static void expect_same(const std::vector<double>& ours, const std::vector<double>& theirs,
                          const std::string& name, const std::string& log) {
    ASSERT_EQ(ours.size(), theirs.size());
#if defined(__x86_64__) && defined(__GLIBC__)
    static_cast<void>(name);
    const double tolerance = 0;
#else
    const double tolerance = name.find("Normal") == std::string::npos ? 0 : 1e-6;
#endif
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i] == theirs[i]) continue;
      ASSERT_LE(std::fabs(ours[i] - theirs[i]), tolerance * (1 + std::fabs(theirs[i])))
          << log << ", number " << i;
    }
  }

  struct Pair {
    Pair() : ours(type()), theirs(type()) {}
    void seed(unsigned long long value) {
      log += " seed " + std::to_string(value);
      ours.seed(value);
      theirs.seed(value);
    }
    void offset(unsigned long long value) {
      log += " offset " + std::to_string(value);
      ours.offset(value);
      theirs.offset(value);
    }
    void compare(const std::string& name, std::size_t n) {
      log += " " + name + " " + std::to_string(n);
      expect_same(host_tests::draw(ours, name, n, 0.5, 1.25, nullptr),
                  theirs.draw(name, n, 0.5, 1.25), name, log);
    }

    OwnedGenerator ours;
    Curand theirs;
    std::string log;
  };

  // cuRAND takes more than a second to start MRG32k3a, so only one distribution tries everything.
  static std::vector<unsigned long long> chosen(std::vector<unsigned long long> all) {
    if (type() == MURAND_RNG_PSEUDO_MRG32K3A) all.resize(function() == kFunctions[0] ? 3 : 1);
    return all;
  }

  static std::size_t even_if_normal(std::size_t n) {
    return function().find("Normal") == std::string::npos ? n : n & ~std::size_t{1};
  }
};

TEST_P(Against, EverySeed) {
  Pair pair;
  for (const auto seed : chosen({(1ULL << 63) + 12345, 1ULL << 32, 0xaaaaaaaa55555555ULL, 1ULL,
                                 0ULL, 0x55555555ULL, 0x123456789abcdefULL, ~0ULL})) {
    pair.seed(seed);
    pair.offset(0);
    pair.compare(function(), even_if_normal(9001));
    if (HasFatalFailure()) return;
  }
}

TEST_P(Against, EveryOffset) {
  Pair pair;
  pair.seed(99);
  for (const auto offset : chosen({(1ULL << 33) + 81919, 1ULL << 60, 262143ULL, 0ULL, 1ULL, 3ULL,
                                   4095ULL, 4096ULL, 81919ULL})) {
    pair.offset(offset);
    pair.compare(function(), even_if_normal(4099));
    if (HasFatalFailure()) return;
  }
}

// The results of a call depend on all calls before it.
TEST_P(Against, CallsInAnyOrder) {
  std::mt19937 random(12345);  // NOLINT(bugprone-random-generator-seed,cert-msc51-cpp)
  Pair pair;
  for (int round = 0; round < 25; ++round) {
    const std::string name =
        round % 2 == 0 ? function() : kFunctions[random() % std::size(kFunctions)];
    const std::size_t n = random() % 4 != 0 ? random() % 20 : random() % 90000;
    pair.compare(name, name.find("Normal") == std::string::npos ? n : n & ~std::size_t{1});
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Curand, Against,
                         testing::Combine(testing::Values(MURAND_RNG_PSEUDO_XORWOW,
                                                          MURAND_RNG_PSEUDO_MRG32K3A,
                                                          MURAND_RNG_PSEUDO_PHILOX4_32_10),
                                          testing::ValuesIn(kFunctions)),
                         [](const auto& parameters) {
                           return std::string(std::get<1>(parameters.param)) + "_" +
                                  std::to_string(std::get<0>(parameters.param));
                         });

}  // namespace

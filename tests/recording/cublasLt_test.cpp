// Hand-written adapters of cuBLASLt against the recording backend. The numbers are written by hand:
// CUDA's from cublasLt.h, MUSA's operations and triangles from the public evidence. No public
// source gives muBLASLt's own numbers; this test too assumes that they are CUDA's, except statuses.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/decisions.h"
#include "tests/recording/witness.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr int kInvalid = 7;
constexpr int kUnsupported = 15;
// CUBLAS_STATUS_INTERNAL_ERROR: every failure of muBLASLt, because no public source explains its
// statuses.
constexpr int kFailed = 14;
constexpr std::uint64_t kObject = 0x1000, kAlpha = 0x2000, kA = 0x3000, kB = 0x4000, kBeta = 0x5000,
                        kC = 0x6000, kD = 0x7000, kLayoutA = 0x8100, kLayoutB = 0x8200,
                        kLayoutC = 0x8300, kLayoutD = 0x8400, kAlgorithm = 0x9000,
                        kWorkspace = 0xa000, kStream = 0xb000;
// Handles: an Lt handle that the program creates, one that the replacement library creates, and a
// cuBLAS handle.
constexpr std::uint64_t kLight = 0xc100, kShared = 0xc200, kCublas = 0xc300;

class Light {
 public:
  explicit Light(int major)
      : library_("libcublasLt.so." + std::to_string(major), MUSA_ROOT),
        blas_("libcublas.so." + std::to_string(major), MUSA_ROOT) {
    recording_answer_all(0);
    recording_watch("SetAttribute", 2);
    const int device = 0;
    recording_write("musaGetDevice", 0, &device, sizeof device);
  }

  int call(const std::string& name, const Words& words) const { return library_.call(name, words); }

  // cublasLtCreate, which MUSA answers with `handle`.
  int create(std::uint64_t handle, void** out) const {
    recording_write("mublasLtCreate", 0, &handle, sizeof handle);
    return call("cublasLtCreate", {word(out)});
  }

  // cublasCreate and cublasDestroy.
  void begin_blas(std::uint64_t handle) const {
    void* out = nullptr;
    recording_write("mublasCreate", 0, &handle, sizeof handle);
    blas_.call("cublasCreate_v2", {word(&out)});
  }
  int end_blas(std::uint64_t handle) const { return blas_.call("cublasDestroy_v2", {handle}); }

  static std::uint64_t word(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }

 private:
  Library library_;
  Library blas_;
};

std::string names_of(const CallLog& log) {
  std::string out;
  for (const LoggedCall& call : log) out += (out.empty() ? "" : " ") + call.musa;
  return out;
}

class Complaints {
 public:
  template <typename T, typename U>
  void expect(const std::string& what, const T& expected, const U& got) {
    const std::string wanted = spell(expected);
    const std::string found = spell(got);
    if (wanted != found) text_ += what + ": expected " + wanted + ", got " + found + "\n";
  }
  std::string text() const { return text_; }

 private:
  template <typename T>
  static std::string spell(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return std::to_string(static_cast<long long>(value));
    } else {
      return value;
    }
  }
  std::string text_;
};

// An attribute as a program sets it and as MUSA receives it.
struct Setting {
  const char* function;  // without cublasLt and SetAttribute
  int attribute;
  std::size_t size;
  std::int64_t passed;
  std::int64_t received;
};

const Setting kSettings[] = {
    {"MatmulDesc", 0, 4, 68, 68},                           // compute type
    {"MatmulDesc", 0, 4, 77, 77},                           // compute in TF32
    {"MatmulDesc", 1, 4, 0, 0},                             // scale type
    {"MatmulDesc", 1, 4, 14, 14},                           // scale type: bfloat16
    {"MatmulDesc", 2, 4, 1, 1},                             // pointer mode: device
    {"MatmulDesc", 3, 4, 0, 111},                           // A as it is
    {"MatmulDesc", 3, 4, 1, 112},                           // A transposed
    {"MatmulDesc", 3, 4, 2, 113},                           // and conjugated
    {"MatmulDesc", 4, 4, 0, 111},                           // B
    {"MatmulDesc", 4, 4, 1, 112},                           //
    {"MatmulDesc", 4, 4, 2, 113},                           //
    {"MatmulDesc", 5, 4, 1, 112},                           // C
    {"MatmulDesc", 6, 4, 0, 122},                           // lower triangle
    {"MatmulDesc", 6, 4, 1, 121},                           // upper
    {"MatmulDesc", 6, 4, 2, 123},                           // all
    {"MatmulDesc", 7, 4, 1, 1},                             // no epilogue
    {"MatmulDesc", 7, 4, 2, 2},                             // relu
    {"MatmulDesc", 7, 4, 4, 4},                             // bias
    {"MatmulDesc", 7, 4, 6, 6},                             // both
    {"MatmulDesc", 7, 4, 32, 32},                           // gelu
    {"MatmulDesc", 7, 4, 36, 36},                           // with bias
    {"MatmulDesc", 7, 4, 164, 164},                         // and what the gradient needs
    {"MatmulDesc", 7, 4, 208, 208},                         // gradient of gelu and bias
    {"MatmulDesc", 7, 4, 512, 512},                         // gradient of bias of B
    {"MatmulDesc", 8, 8, 0x123456789abc, 0x123456789abc},   // bias
    {"MatmulDesc", 10, 8, -5, -5},                          // its stride
    {"MatmulDesc", 11, 8, 0x123456789abc, 0x123456789abc},  // what the epilogue keeps
    {"MatmulDesc", 12, 8, 1 << 20, 1 << 20},                // its leading dimension
    {"MatmulDesc", 17, 8, 0x123456789abc, 0x123456789abc},  // scale of A
    {"MatmulDesc", 0, 4, 73, 72},                           // compute sums of integers exactly
    {"MatmulDesc", 0, 4, 74, 68},                           // in float, or less exactly
    {"MatmulDesc", 0, 4, 75, 68},                           // the same
    {"MatrixLayout", 0, 4, 2, 2},                           // type: half
    {"MatrixLayout", 1, 4, 1, 1},                           // order: rows
    {"MatrixLayout", 2, 8, 1LL << 33, 1LL << 33},           // rows
    {"MatrixLayout", 4, 8, -1, -1},                         // leading dimension
    {"MatrixLayout", 5, 4, 12, 12},                         // batch
    {"MatrixLayout", 6, 8, 1LL << 34, 1LL << 34},           // stride of a batch
    {"MatmulPreference", 1, 8, 1LL << 35, 1LL << 35},       // workspace
    {"MatmulPreference", 5, 4, 256, 256},                   // alignment of A
    {"MatmulPreference", 8, 4, 16, 16},                     // of D
    {"MatrixTransformDesc", 0, 4, 2, 2},                    // scale type
    {"MatrixTransformDesc", 2, 4, 1, 112},                  // A transposed
    {"MatrixTransformDesc", 3, 4, 2, 113},                  // B transposed and conjugated
    {"MatmulAlgoConfig", 2, 4, 3, 3},                       // split of k
    {"MatmulAlgoConfig", 6, 4, 12, 12},                     // stages
};

std::string settings(int major) {
  const Light light(major);
  Complaints complaints;
  for (const Setting& setting : kSettings) {
    const std::string suffix = std::string(setting.function) + "SetAttribute";
    const std::string what = suffix + " " + std::to_string(setting.attribute);
    const auto attribute = static_cast<std::uint64_t>(setting.attribute);
    complaints.expect(what, 0,
                      light.call(("cublasLt" + suffix).c_str(),
                                 {kObject, attribute, Light::word(&setting.passed), setting.size}));
    const CallLog log = backend_log();
    complaints.expect(what, "mublasLt" + suffix, names_of(log));
    if (log.size() != 1) continue;
    complaints.expect(what + ": object", kObject, received(log[0], 0));
    complaints.expect(what + ": attribute", attribute, received(log[0], 1) & 0xffffffff);
    complaints.expect(what + ": size", setting.size, received(log[0], 3));
    std::int64_t got = 0;
    std::int64_t expected = 0;
    std::memcpy(&got, recording_get(0).seen[0], setting.size);
    std::memcpy(&expected, &setting.received, setting.size);
    complaints.expect(what + ": value", expected, got);
  }
  return complaints.text();
}

// A call that must not reach MUSA, and the status for it.
struct Refused {
  const char* what;
  const char* function;
  std::uint64_t object;
  int attribute;
  std::size_t size;
  std::int64_t passed;
  int status;
};

const Refused kRefused[] = {
    {"MUSA's own number of an operation", "MatmulDesc", kObject, 3, 4, 111, kInvalid},
    {"an operation that is none", "MatmulDesc", kObject, 4, 4, 4, kInvalid},
    {"a negative operation", "MatmulDesc", kObject, 5, 4, -1, kInvalid},
    {"conjugation without transposition", "MatmulDesc", kObject, 3, 4, 3, kUnsupported},
    {"MUSA's own number of a triangle", "MatmulDesc", kObject, 6, 4, 121, kInvalid},
    {"an epilogue that is none", "MatmulDesc", kObject, 7, 4, 3, kInvalid},
    {"no compute type", "MatmulDesc", kObject, 0, 4, 0, kInvalid},
    {"no data type", "MatmulDesc", kObject, 1, 4, 1000, kInvalid},
    {"no pointer mode", "MatmulDesc", kObject, 2, 4, 5, kInvalid},
    {"an operation in 8 bytes", "MatmulDesc", kObject, 3, 8, 0, kInvalid},
    {"an operation in no bytes", "MatmulDesc", kObject, 3, 0, 0, kInvalid},
    {"a pointer in 4 bytes", "MatmulDesc", kObject, 8, 4, 0, kInvalid},
    {"an attribute that is none", "MatmulDesc", kObject, 9, 4, 0, kInvalid},
    {"a negative attribute", "MatmulDesc", kObject, -1, 4, 0, kInvalid},
    {"no description", "MatmulDesc", 0, 3, 4, 0, kInvalid},
    {"exact computation in half", "MatmulDesc", kObject, 0, 4, 65, kUnsupported},
    {"exact computation in float", "MatmulDesc", kObject, 0, 4, 69, kUnsupported},
    {"exact computation in double", "MatmulDesc", kObject, 0, 4, 71, kUnsupported},
    // Kept here: hints, what only permits less exactness, and, with a line, what forbids some ways.
    {"some multiprocessors", "MatmulDesc", kObject, 15, 4, 8, 0},
    {"all multiprocessors", "MatmulDesc", kObject, 15, 4, 0, 0},
    {"fast accumulation", "MatmulDesc", kObject, 25, 1, 1, 0},
    {"usual accumulation", "MatmulDesc", kObject, 25, 1, 0, 0},
    {"another way to search", "MatmulPreference", kObject, 0, 4, 1, 0},
    {"no sums of parts in less precision", "MatmulPreference", kObject, 3, 4, 2, 0},
    {"few implementations", "MatmulPreference", kObject, 12, 8, 1, 0},
    {"a scale of D", "MatmulDesc", kObject, 20, 8, 0x1000, kUnsupported},
    {"no scale of D", "MatmulDesc", kObject, 20, 8, 0, 0},
    {"a type of bias", "MatmulDesc", kObject, 26, 4, 2, kUnsupported},
    {"the usual type of bias", "MatmulDesc", kObject, 26, 4, -1, 0},
    {"an order that is none", "MatrixLayout", kObject, 1, 4, 5, kInvalid},
    {"rows in 4 bytes", "MatrixLayout", kObject, 2, 4, 1, kInvalid},
    {"no layout", "MatrixLayout", 0, 2, 8, 1, kInvalid},
    {"a workspace in 4 bytes", "MatmulPreference", kObject, 1, 4, 1, kInvalid},
    {"a preference that is none", "MatmulPreference", kObject, 99, 4, 1, kInvalid},
    {"MUSA's own number of an operation", "MatrixTransformDesc", kObject, 2, 4, 112, kInvalid},
    {"a cluster shape", "MatmulAlgoConfig", kObject, 8, 2, 2, kUnsupported},
    {"no algorithm", "MatmulAlgoConfig", 0, 1, 4, 2, kInvalid},
};

std::string refusals(int major) {
  const Light light(major);
  Complaints complaints;
  for (const Refused& refused : kRefused) {
    const std::string name = std::string("cublasLt") + refused.function + "SetAttribute";
    const std::string what = name + ": " + refused.what;
    complaints.expect(
        what, refused.status,
        light.call(name.c_str(), {refused.object, static_cast<std::uint64_t>(refused.attribute),
                                  Light::word(&refused.passed), refused.size}));
    complaints.expect(what, "", names_of(backend_log()));
  }
  complaints.expect("a null buffer", kInvalid,
                    light.call("cublasLtMatmulDescSetAttribute", {kObject, 3, 0, 4}));
  complaints.expect("a null buffer", "", names_of(backend_log()));
  return complaints.text();
}

// What is kept of an object is gone when it is destroyed: the next one may have its address.
std::string kept(int major) {
  const Light light(major);
  Complaints complaints;
  const auto read = [&](const char* what, int attribute, std::size_t size) {
    int value = 0;
    std::size_t written = 0;
    complaints.expect(what, 0,
                      light.call("cublasLtMatmulDescGetAttribute",
                                 {kObject, static_cast<std::uint64_t>(attribute),
                                  Light::word(&value), size, Light::word(&written)}));
    complaints.expect(what, "", names_of(backend_log()));
    return value;
  };
  const int count = 8;
  const int fast = 1;
  light.call("cublasLtMatmulDescSetAttribute", {kObject, 15, Light::word(&count), 4});
  light.call("cublasLtMatmulDescSetAttribute", {kObject, 25, Light::word(&fast), 1});
  complaints.expect("multiprocessors", 8, read("multiprocessors", 15, 4));
  complaints.expect("fast accumulation", 1, read("fast accumulation", 25, 1));
  light.call("cublasLtMatmulDescDestroy", {kObject});
  complaints.expect("destroyed", "mublasLtMatmulDescDestroy", names_of(backend_log()));
  complaints.expect("multiprocessors afterwards", 0, read("multiprocessors", 15, 4));
  complaints.expect("accumulation afterwards", 0, read("accumulation", 25, 1));
  return complaints.text();
}

std::string readings(int major) {
  const Light light(major);
  Complaints complaints;
  const auto read = [&](const char* what, std::uint64_t attribute, int musa, int status,
                        int expected) {
    recording_write("mublasLtMatmulDescGetAttribute", 2, &musa, sizeof musa);
    int value = -77;
    std::size_t written = 55;
    complaints.expect(
        what, status,
        light.call("cublasLtMatmulDescGetAttribute",
                   {kObject, attribute, Light::word(&value), 4, Light::word(&written)}));
    complaints.expect(what, expected, value);
    complaints.expect(what, status == 0 ? 4U : 55U, written);
  };
  read("A as it is", 3, 111, 0, 0);
  read("A transposed", 3, 112, 0, 1);
  read("B conjugated", 4, 113, 0, 2);
  read("lower triangle", 6, 122, 0, 0);
  read("epilogue", 7, 36, 0, 36);
  // CUBLAS_STATUS_INTERNAL_ERROR, and nothing is written.
  read("an operation nobody knows", 3, 77, 14, -77);
  read("CUDA's number from MUSA", 3, 1, 14, -77);
  recording_answer_all(2);
  read("what MUSA refuses", 3, 111, kFailed, -77);
  return complaints.text();
}

// The 16 arguments of a product with `handle`.
Words product(std::uint64_t handle) {
  return {handle, kObject,  kAlpha, kA,       kLayoutA,   kB,         kLayoutB, kBeta,
          kC,     kLayoutC, kD,     kLayoutD, kAlgorithm, kWorkspace, 1 << 20,  kStream};
}

void expect_product(const std::string& what, std::uint64_t handle, Complaints* complaints) {
  const CallLog log = backend_log();
  if (log.empty() || log.back().musa != "mublasLtMatmul") {
    complaints->expect(what, "mublasLtMatmul", names_of(log));
    return;
  }
  const Words expected = product(handle);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    complaints->expect(what + ": argument " + std::to_string(i), expected[i],
                       received(log.back(), i));
  }
}

std::string handles(int major) {
  const Light light(major);
  Complaints complaints;
  void* made = nullptr;
  complaints.expect("create", 0, light.create(kLight, &made));
  complaints.expect("create", kLight, Light::word(made));

  complaints.expect("own handle", 0, light.call("cublasLtMatmul", product(kLight)));
  complaints.expect("own handle", "mublasLtMatmul", names_of(backend_log()));
  expect_product("own handle", kLight, &complaints);

  recording_write("mublasLtCreate", 0, &kShared, sizeof kShared);
  for (const std::uint64_t unknown : {kCublas, kLight + 8, std::uint64_t{0x10}}) {
    complaints.expect("unknown handle", 1, light.call("cublasLtMatmul", product(unknown)));
    complaints.expect("unknown handle", "musaGetDevice", names_of(backend_log()));
  }
  light.begin_blas(kCublas);
  light.begin_blas(kCublas + 64);
  complaints.expect("cuBLAS handle", 0, light.call("cublasLtMatmul", product(kCublas)));
  complaints.expect("cuBLAS handle", "musaGetDevice mublasLtCreate mublasLtMatmul",
                    names_of(backend_log()));
  expect_product("cuBLAS handle", kShared, &complaints);
  light.call("cublasLtMatmul", product(kCublas + 64));
  complaints.expect("another", "musaGetDevice mublasLtMatmul", names_of(backend_log()));
  expect_product("another", kShared, &complaints);

  // One handle for each device.
  constexpr int kOtherDevice = 1;
  constexpr std::uint64_t kOtherShared = 0xc400;
  recording_write("musaGetDevice", 0, &kOtherDevice, sizeof kOtherDevice);
  recording_write("mublasLtCreate", 0, &kOtherShared, sizeof kOtherShared);
  light.call("cublasLtMatmul", product(kCublas));
  expect_product("another device", kOtherShared, &complaints);
  constexpr int kStrangeDevice = 1 << 20;
  recording_write("musaGetDevice", 0, &kStrangeDevice, sizeof kStrangeDevice);
  complaints.expect("no device", 14, light.call("cublasLtMatmul", product(kCublas)));
  complaints.expect("no device", "musaGetDevice", names_of(backend_log()));
  constexpr int kDevice = 0;
  recording_write("musaGetDevice", 0, &kDevice, sizeof kDevice);

  complaints.expect("destroy", 0, light.call("cublasLtDestroy", {kLight}));
  complaints.expect("destroy", "mublasLtDestroy", names_of(backend_log()));
  complaints.expect("destroy twice", kInvalid, light.call("cublasLtDestroy", {kLight}));
  complaints.expect("destroy cuBLAS's", kInvalid, light.call("cublasLtDestroy", {kCublas}));
  complaints.expect("destroy the replacement's", kInvalid,
                    light.call("cublasLtDestroy", {kShared}));
  complaints.expect("bad destroys", "", names_of(backend_log()));

  // One that MUSA fails to destroy remains one. A destroyed one is none, whatever else is
  // destroyed.
  recording_answer_all(6);
  complaints.expect("failing destroy of cuBLAS", kFailed, light.end_blas(kCublas));
  recording_answer_all(0);
  complaints.expect("after it", 0, light.call("cublasLtMatmul", product(kCublas)));
  complaints.expect("destroy cuBLAS", 0, light.end_blas(kCublas));
  complaints.expect("destroyed cuBLAS", 1, light.call("cublasLtMatmul", product(kCublas)));
  recording_answer_all(6);
  complaints.expect("destroy it again", kFailed, light.end_blas(kCublas));
  recording_answer_all(0);
  complaints.expect("destroyed twice", 1, light.call("cublasLtMatmul", product(kCublas)));
  complaints.expect("the other", 0, light.call("cublasLtMatmul", product(kCublas + 64)));

  // First a cuBLAS handle has the address of a destroyed Lt handle, then a new Lt handle has it.
  complaints.expect("a destroyed handle", 1, light.call("cublasLtMatmul", product(kLight)));
  light.begin_blas(kLight);
  light.call("cublasLtMatmul", product(kLight));
  expect_product("address of a destroyed handle", kShared, &complaints);
  complaints.expect("create again", 0, light.create(kLight, &made));
  light.call("cublasLtMatmul", product(kLight));
  expect_product("address of a new handle", kLight, &complaints);

  complaints.expect("null handle", major == 11 ? kInvalid : 1,
                    light.call("cublasLtMatmul", product(0)));
  Words words = product(kLight);
  words[4] = 0;
  complaints.expect("no layout", kInvalid, light.call("cublasLtMatmul", words));
  complaints.expect("bad products", "", names_of(backend_log()));

  // A handle that MUSA fails to destroy remains a handle.
  recording_answer_all(6);
  complaints.expect("failing destroy", kFailed, light.call("cublasLtDestroy", {kLight}));
  recording_answer_all(0);
  light.call("cublasLtMatmul", product(kLight));
  expect_product("after a failing destroy", kLight, &complaints);
  recording_answer_all(5);
  complaints.expect("failing create", kFailed, light.create(kLight + 64, &made));
  return complaints.text();
}

std::string every_call_with_a_handle(int major) {
  const Light light(major);
  Complaints complaints;
  recording_write("mublasLtCreate", 0, &kShared, sizeof kShared);
  light.begin_blas(kCublas);
  light.call("cublasLtMatmul", product(kCublas));
  const Words transform = {kCublas, kObject,  kAlpha, kA,       kLayoutA, kBeta,
                           kB,      kLayoutB, kC,     kLayoutC, kStream};
  complaints.expect("transform", 0, light.call("cublasLtMatrixTransform", transform));
  CallLog log = backend_log();
  for (std::size_t i = 0; i < transform.size(); ++i) {
    complaints.expect("transform: argument " + std::to_string(i), i == 0 ? kShared : transform[i],
                      received(log.back(), i));
  }
  int ids[4] = {};
  int found = 0;
  const Words get = {kCublas, 68, 0, 2, 14, 0, 1, 4, Light::word(ids), Light::word(&found)};
  complaints.expect("ids", 0, light.call("cublasLtMatmulAlgoGetIds", get));
  log = backend_log();
  for (std::size_t i = 0; i < get.size(); ++i) {
    const std::uint64_t got = received(log.back(), i);
    complaints.expect("ids: argument " + std::to_string(i), i == 0 ? kShared : get[i],
                      i > 0 && i < 8 ? got & 0xffffffff : got);
  }
  return complaints.text();
}

// A search result as MUSA writes it, with its own status.
std::vector<unsigned char> result_with(int state, std::size_t size) {
  std::vector<unsigned char> out(size, 0x11);
  std::memcpy(out.data() + 72, &state, 4);
  return out;
}

struct Memory {
  std::array<unsigned char, 96> result;
  std::array<unsigned char, 32> behind;
};

std::string algorithms(int major) {
  const Light light(major);
  Complaints complaints;
  void* made = nullptr;
  light.create(kLight, &made);
  Memory memory{};
  int found = 9;
  const int one = 1;
  recording_write("mublasLtMatmulAlgoGetHeuristic", 9, &one, sizeof one);
  const auto search = [&](std::uint64_t requested) {
    memory.result.fill(0x55);
    memory.behind.fill(0x66);
    found = 9;
    return light.call("cublasLtMatmulAlgoGetHeuristic",
                      {kLight, kObject, kLayoutA, kLayoutB, kLayoutC, kLayoutD, kAlpha, requested,
                       Light::word(&memory), Light::word(&found)});
  };
  const auto untouched = [&](const std::string& what) {
    for (const unsigned char byte : memory.behind) complaints.expect(what + ": behind", 0x66, byte);
  };
  const auto state_of = [&] {
    int state = 0;
    std::memcpy(&state, memory.result.data() + 72, 4);
    return state;
  };

  // Longer than CUDA's: refused, and the program's memory is unchanged.
  const auto longer = result_with(0, 104);
  recording_write("mublasLtMatmulAlgoGetHeuristic", 8, longer.data(), longer.size());
  for (const std::uint64_t requested : {1, 5}) {
    complaints.expect("longer results", kUnsupported, search(requested));
    complaints.expect("longer results", 9, found);
    for (const unsigned char byte : memory.result) complaints.expect("longer results", 0x55, byte);
    untouched("longer results");
  }

  // The same length: the status is converted to CUDA's, the rest stays as MUSA wrote it.
  const std::pair<int, int> states[] = {{0, 0},       {1, kFailed},  {2, kFailed}, {5, kFailed},
                                        {6, kFailed}, {11, kFailed}, {99, kFailed}};
  for (const auto& [musa, cuda] : states) {
    const auto written = result_with(musa, 96);
    recording_write("mublasLtMatmulAlgoGetHeuristic", 8, written.data(), written.size());
    for (const std::uint64_t requested : {1, 5}) {
      const std::string what = "state " + std::to_string(musa);
      complaints.expect(what, 0, search(requested));
      complaints.expect(what, 1, found);
      complaints.expect(what, cuda, state_of());
      complaints.expect(what, 0x11, memory.result[0]);
      complaints.expect(what, 0x11, memory.result[63]);
      complaints.expect(what, 0x11, memory.result[95]);
      untouched(what);
    }
  }
  complaints.expect("no results wanted", kInvalid, search(0));
  complaints.expect("no results wanted", kInvalid, search(~std::uint64_t{0}));
  complaints.expect("no results wanted", "", names_of(backend_log()));

  // An algorithm of 64 bytes, and one of 72.
  for (const std::size_t size : {64, 72}) {
    const std::vector<unsigned char> written(size, 0x22);
    recording_write("mublasLtMatmulAlgoInit", 8, written.data(), written.size());
    std::array<unsigned char, 80> algorithm;
    algorithm.fill(0x33);
    complaints.expect("init", size == 64 ? 0 : kUnsupported,
                      light.call("cublasLtMatmulAlgoInit",
                                 {kLight, 68, 0, 2, 2, 0, 0, 7, Light::word(algorithm.data())}));
    complaints.expect("init", size == 64 ? 0x22 : 0x33, algorithm[63]);
    complaints.expect("init", 0x33, algorithm[64]);
    const CallLog log = backend_log();
    complaints.expect("init: number", std::uint64_t{7}, received(log.back(), 7) & 0xffffffff);
  }
  complaints.expect(
      "init with no compute type", kInvalid,
      light.call("cublasLtMatmulAlgoInit", {kLight, 1, 0, 2, 2, 0, 0, 7, kAlgorithm}));
  complaints.expect("init with no compute type", "", names_of(backend_log()));

  const auto checked = result_with(2, 96);
  recording_write("mublasLtMatmulAlgoCheck", 7, checked.data(), checked.size());
  memory.behind.fill(0x66);
  complaints.expect(
      "check", 0,
      light.call("cublasLtMatmulAlgoCheck", {kLight, kObject, kLayoutA, kLayoutB, kLayoutC,
                                             kLayoutD, kAlgorithm, Light::word(&memory)}));
  complaints.expect("check", kFailed, state_of());
  untouched("check");
  return complaints.text();
}

// Only 0 means the same on both sides. Every other status is a failure, and the number is in the
// log, once.
std::string statuses(int major) {
  const Light light(major);
  Complaints complaints;
  void* made = nullptr;
  light.create(kLight, &made);
  setenv("TORCHADA_LOG", "warn", 1);
  const std::string soname = "libcublasLt.so." + std::to_string(major);
  for (const int musa : {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 14, 15, 77, -1}) {
    recording_answer_all(static_cast<std::uint64_t>(musa));
    const std::string number = std::to_string(musa);
    const std::string line = "torchada: " + soname + ": cublasLtMatmul failed: mublasLtMatmul " +
                             "returned " + number + ", a number that no public source explains; " +
                             "returning CUBLAS_STATUS_INTERNAL_ERROR (14)\n";
    for (const bool is_first : {true, false}) {
      testing::internal::CaptureStderr();
      const int status = light.call("cublasLtMatmul", product(kLight));
      const std::string logged = testing::internal::GetCapturedStderr();
      complaints.expect("status " + number, musa == 0 ? 0 : kFailed, status);
      complaints.expect("line for " + number, musa != 0 && is_first ? line : "", logged);
    }
  }
  return complaints.text();
}

// What types alone decide, called with zeros: it arrives at the function that the evidence gives.
std::string adapted(int major) {
  const Light light(major);
  Complaints complaints;
  const Witness witness(NAMES_FILE);
  std::size_t count = 0;
  for (const Decision& decision :
       read_decisions(DECISIONS_FILE, "cublasLt-" + std::to_string(major))) {
    if (decision.decision != "adapted") continue;
    ++count;
    // No compute type is 0; 68 is single precision on both sides.
    const std::uint64_t first = decision.cuda == "cublasLtMatmulDescCreate" ? 68 : 0;
    complaints.expect(decision.cuda, 0, light.call(decision.cuda.c_str(), {0, first}));
    complaints.expect(decision.cuda, decision.musa, names_of(backend_log()));
    complaints.expect(decision.cuda, "", witness.objection(decision.cuda, decision.musa));
  }
  complaints.expect("adapted functions", std::size_t{8}, count);
  return complaints.text();
}

class LightOfMajor : public testing::TestWithParam<int> {
 protected:
  static void expect_none(std::string (*complaints)(int)) {
    EXPECT_EQ("", in_child([complaints] { return complaints(GetParam()); }));
  }
};

TEST_P(LightOfMajor, AttributesArriveByMusasNumbers) { expect_none(settings); }
TEST_P(LightOfMajor, StrangeAttributesStayOut) { expect_none(refusals); }
TEST_P(LightOfMajor, KeptAttributesGoWithTheirObject) { expect_none(kept); }
TEST_P(LightOfMajor, AttributesComeBackByCudasNumbers) { expect_none(readings); }
TEST_P(LightOfMajor, HandlesAreToldApart) { expect_none(handles); }
TEST_P(LightOfMajor, EveryCallTakesHandlesOfCublas) { expect_none(every_call_with_a_handle); }
TEST_P(LightOfMajor, AlgorithmsFitTheProgramsMemory) { expect_none(algorithms); }
TEST_P(LightOfMajor, StatusesAreCudas) { expect_none(statuses); }
TEST_P(LightOfMajor, GeneratedAdaptersArrive) { expect_none(adapted); }

INSTANTIATE_TEST_SUITE_P(Majors, LightOfMajor, testing::Values(11, 12, 13));

}  // namespace
}  // namespace recording

// cuBLASLt as programs use it: objects that end themselves, and the numbers that cublasLt.h keeps
// in enumerations which no prototype mentions.
#ifndef TORCHADA_TESTS_CONFORMANCE_LIGHT_H_
#define TORCHADA_TESTS_CONFORMANCE_LIGHT_H_

#include <cstdint>

#include "support.h"

#define EXPECT_LIGHT(status, call) EXPECT_EQ(CUBLAS_STATUS_##status, (call))
#define ASSERT_LIGHT_OK(call) ASSERT_EQ(CUBLAS_STATUS_SUCCESS, (call))

// cudaDataType and cudaDataType_t are one type in CUDA's headers and two in what is emitted here.
struct DataType {
  int number;
  operator cudaDataType() const { return static_cast<cudaDataType>(number); }
  operator cudaDataType_t() const { return static_cast<cudaDataType_t>(number); }
  bool operator==(DataType other) const { return number == other.number; }
};
constexpr DataType kFloat32{0};
constexpr DataType kFloat64{1};
constexpr DataType kFloat16{2};
constexpr DataType kInt32{10};
constexpr DataType kBrain16{14};

constexpr std::int32_t kEpilogueDefault = 1;
constexpr std::int32_t kEpilogueRelu = 2;
constexpr std::int32_t kEpilogueBias = 4;
constexpr std::int32_t kEpilogueReluBias = 6;
constexpr std::int32_t kEpilogueGelu = 32;
constexpr std::int32_t kEpilogueGeluBias = 36;
constexpr std::int32_t kOrderRow = 1;
constexpr std::int32_t kPointerModeDevice = 1;

class Description {
 public:
  explicit Description(cublasComputeType_t compute = CUBLAS_COMPUTE_32F,
                       DataType scale = kFloat32) {
    EXPECT_LIGHT(SUCCESS, cublasLtMatmulDescCreate(&description_, compute, scale));
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  ~Description() { EXPECT_LIGHT(SUCCESS, cublasLtMatmulDescDestroy(description_)); }
  operator cublasLtMatmulDesc_t() const { return description_; }

  template <typename T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) const {
    EXPECT_LIGHT(SUCCESS,
                 cublasLtMatmulDescSetAttribute(description_, attribute, &value, sizeof value));
  }
  template <typename T>
  T get(cublasLtMatmulDescAttributes_t attribute) const {
    T value{};
    size_t written = 0;
    EXPECT_LIGHT(SUCCESS, cublasLtMatmulDescGetAttribute(description_, attribute, &value,
                                                         sizeof value, &written));
    EXPECT_EQ(sizeof value, written);
    return value;
  }

 private:
  cublasLtMatmulDesc_t description_ = nullptr;
};

class Layout {
 public:
  Layout(DataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
    EXPECT_LIGHT(SUCCESS, cublasLtMatrixLayoutCreate(&layout_, type, rows, columns, leading));
  }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout() { EXPECT_LIGHT(SUCCESS, cublasLtMatrixLayoutDestroy(layout_)); }
  operator cublasLtMatrixLayout_t() const { return layout_; }

  template <typename T>
  void set(cublasLtMatrixLayoutAttribute_t attribute, T value) const {
    EXPECT_LIGHT(SUCCESS,
                 cublasLtMatrixLayoutSetAttribute(layout_, attribute, &value, sizeof value));
  }
  template <typename T>
  T get(cublasLtMatrixLayoutAttribute_t attribute) const {
    T value{};
    size_t written = 0;
    EXPECT_LIGHT(SUCCESS, cublasLtMatrixLayoutGetAttribute(layout_, attribute, &value, sizeof value,
                                                           &written));
    EXPECT_EQ(sizeof value, written);
    return value;
  }

 private:
  cublasLtMatrixLayout_t layout_ = nullptr;
};

class Preference {
 public:
  Preference() { EXPECT_LIGHT(SUCCESS, cublasLtMatmulPreferenceCreate(&preference_)); }
  Preference(const Preference&) = delete;
  Preference& operator=(const Preference&) = delete;
  ~Preference() { EXPECT_LIGHT(SUCCESS, cublasLtMatmulPreferenceDestroy(preference_)); }
  operator cublasLtMatmulPreference_t() const { return preference_; }

  template <typename T>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, T value) const {
    EXPECT_LIGHT(SUCCESS, cublasLtMatmulPreferenceSetAttribute(preference_, attribute, &value,
                                                               sizeof value));
  }

 private:
  cublasLtMatmulPreference_t preference_ = nullptr;
};

// A handle of cuBLASLt's own, or one of cuBLAS that stands for it, as PyTorch passes.
class LightHandle {
 public:
  enum Kind { kOfLt, kOfCublas };
  explicit LightHandle(Kind kind) : kind_(kind) {
    if (kind == kOfLt) {
      EXPECT_LIGHT(SUCCESS, cublasLtCreate(&light_));
    } else {
      EXPECT_LIGHT(SUCCESS, cublasCreate_v2(&cublas_));
      light_ = reinterpret_cast<cublasLtHandle_t>(cublas_);
    }
  }
  LightHandle(const LightHandle&) = delete;
  LightHandle& operator=(const LightHandle&) = delete;
  ~LightHandle() {
    if (kind_ == kOfLt) {
      EXPECT_LIGHT(SUCCESS, cublasLtDestroy(light_));
    } else {
      EXPECT_LIGHT(SUCCESS, cublasDestroy_v2(cublas_));
    }
  }
  operator cublasLtHandle_t() const { return light_; }

 private:
  Kind kind_;
  cublasLtHandle_t light_ = nullptr;
  cublasHandle_t cublas_ = nullptr;
};

#endif  // TORCHADA_TESTS_CONFORMANCE_LIGHT_H_

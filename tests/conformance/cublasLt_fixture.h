// cuBLASLt as programs use it: objects that destroy themselves, and the numbers of enumerations in
// cublasLt.h that no prototype mentions.
#ifndef TORCHADA_TESTS_CONFORMANCE_LIGHT_H_
#define TORCHADA_TESTS_CONFORMANCE_LIGHT_H_

#include <cstdint>

#include "tests/conformance/support.h"

#define EXPECT_CUBLASLT(status, call) EXPECT_EQ(CUBLAS_STATUS_##status, (call))
#define ASSERT_LIGHT_OK(call) ASSERT_EQ(CUBLAS_STATUS_SUCCESS, (call))

// cudaDataType and cudaDataType_t are the same type in CUDA's headers, but two types in the emitted
// declarations.
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

// A cuBLASLt object with attributes. The destructor destroys the object; derived classes create it.
template <typename Handle, typename Attribute, auto kSet, auto kGet, auto kDestroy>
class LightObject {
 public:
  LightObject(const LightObject&) = delete;
  LightObject& operator=(const LightObject&) = delete;
  operator Handle() const { return handle_; }

  template <typename T>
  void set(Attribute attribute, T value) const {
    EXPECT_CUBLASLT(SUCCESS, kSet(handle_, attribute, &value, sizeof value));
  }
  template <typename T>
  T get(Attribute attribute) const {
    T value{};
    size_t written = 0;
    EXPECT_CUBLASLT(SUCCESS, kGet(handle_, attribute, &value, sizeof value, &written));
    EXPECT_EQ(sizeof value, written);
    return value;
  }

 protected:
  LightObject() = default;
  ~LightObject() { EXPECT_CUBLASLT(SUCCESS, kDestroy(handle_)); }

  Handle handle_ = nullptr;
};

class Description : public LightObject<cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t,
                                       cublasLtMatmulDescSetAttribute,
                                       cublasLtMatmulDescGetAttribute, cublasLtMatmulDescDestroy> {
 public:
  explicit Description(cublasComputeType_t compute = CUBLAS_COMPUTE_32F,
                       DataType scale = kFloat32) {
    EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulDescCreate(&handle_, compute, scale));
  }
};

class Layout : public LightObject<cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t,
                                  cublasLtMatrixLayoutSetAttribute,
                                  cublasLtMatrixLayoutGetAttribute, cublasLtMatrixLayoutDestroy> {
 public:
  Layout(DataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
    EXPECT_CUBLASLT(SUCCESS, cublasLtMatrixLayoutCreate(&handle_, type, rows, columns, leading));
  }
};

class Preference
    : public LightObject<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                         cublasLtMatmulPreferenceSetAttribute, cublasLtMatmulPreferenceGetAttribute,
                         cublasLtMatmulPreferenceDestroy> {
 public:
  Preference() { EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulPreferenceCreate(&handle_)); }
};

// A cuBLASLt handle, or a cuBLAS handle used as one, as in PyTorch.
class LightHandle {
 public:
  enum Kind { kOfLt, kOfCublas };
  explicit LightHandle(Kind kind) : kind_(kind) {
    if (kind == kOfLt) {
      EXPECT_CUBLASLT(SUCCESS, cublasLtCreate(&handle_));
    } else {
      EXPECT_CUBLASLT(SUCCESS, cublasCreate_v2(&cublas_));
      handle_ = reinterpret_cast<cublasLtHandle_t>(cublas_);
    }
  }
  LightHandle(const LightHandle&) = delete;
  LightHandle& operator=(const LightHandle&) = delete;
  ~LightHandle() {
    if (kind_ == kOfLt) {
      EXPECT_CUBLASLT(SUCCESS, cublasLtDestroy(handle_));
    } else {
      EXPECT_CUBLASLT(SUCCESS, cublasDestroy_v2(cublas_));
    }
  }
  operator cublasLtHandle_t() const { return handle_; }

 private:
  Kind kind_;
  cublasLtHandle_t handle_ = nullptr;
  cublasHandle_t cublas_ = nullptr;
};

#endif  // TORCHADA_TESTS_CONFORMANCE_LIGHT_H_

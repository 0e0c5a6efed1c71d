#include "stubs/cufft/types.h"

#include "facts.h"

namespace torchada::cufft {
namespace {

constexpr int kReal = static_cast<int>(cuda::CUDA_R_32F);
constexpr int kComplex = static_cast<int>(cuda::CUDA_C_32F);
constexpr int kDouble = static_cast<int>(cuda::CUDA_R_64F);
constexpr int kDoubleComplex = static_cast<int>(cuda::CUDA_C_64F);

struct TransformType {
  int cuda;
  int musa;
  DataTypes numbers;
};

constexpr TransformType kTypes[] = {
    {cuda::CUFFT_C2C, musa::MUFFT_C2C, {kComplex, kComplex, kComplex}},
    {cuda::CUFFT_R2C, musa::MUFFT_R2C, {kReal, kComplex, kComplex}},
    {cuda::CUFFT_C2R, musa::MUFFT_C2R, {kComplex, kReal, kComplex}},
    {cuda::CUFFT_Z2Z, musa::MUFFT_Z2Z, {kDoubleComplex, kDoubleComplex, kDoubleComplex}},
    {cuda::CUFFT_D2Z, musa::MUFFT_D2Z, {kDouble, kDoubleComplex, kDoubleComplex}},
    {cuda::CUFFT_Z2D, musa::MUFFT_Z2D, {kDoubleComplex, kDouble, kDoubleComplex}},
};

const TransformType* find(int type) {
  for (const TransformType& item : kTypes) {
    if (item.cuda == type) return &item;
  }
  return nullptr;
}

}  // namespace

bool type_to_musa(int type, int* converted) {
  const TransformType* const found = find(type);
  if (found) *converted = found->musa;
  return found != nullptr;
}

bool numbers_of(int type, DataTypes* types) {
  const TransformType* const found = find(type);
  if (found) *types = found->numbers;
  return found != nullptr;
}

// No public source has MUSA's numbers for complex numbers, so they keep CUDA's, as in a generated
// adapter.
bool data_type_to_musa(int type, int* converted) {
  switch (type) {
    case cuda::CUDA_R_16F:
      *converted = musa::MUSA_R_16F;
      return true;
    case cuda::CUDA_R_32F:
      *converted = musa::MUSA_R_32F;
      return true;
    case cuda::CUDA_R_64F:
      *converted = musa::MUSA_R_64F;
      return true;
    case cuda::CUDA_R_16BF:
      *converted = musa::MUSA_R_16BF;
      return true;
    case cuda::CUDA_C_16F:
    case cuda::CUDA_C_32F:
    case cuda::CUDA_C_64F:
    case cuda::CUDA_C_16BF:
      *converted = type;
      return true;
    default:
      return false;
  }
}

}  // namespace torchada::cufft

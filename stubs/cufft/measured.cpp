#include "stubs/cufft/measured.h"

namespace torchada::cufft {

bool numbers_of(int type, DataTypes* types) {
  constexpr int kReal = static_cast<int>(cuda::CUDA_R_32F);
  constexpr int kComplex = static_cast<int>(cuda::CUDA_C_32F);
  constexpr int kDouble = static_cast<int>(cuda::CUDA_R_64F);
  constexpr int kDoubleComplex = static_cast<int>(cuda::CUDA_C_64F);
  switch (type) {
    case cuda::CUFFT_C2C:
      *types = {kComplex, kComplex, kComplex};
      return true;
    case cuda::CUFFT_R2C:
      *types = {kReal, kComplex, kComplex};
      return true;
    case cuda::CUFFT_C2R:
      *types = {kComplex, kReal, kComplex};
      return true;
    case cuda::CUFFT_Z2Z:
      *types = {kDoubleComplex, kDoubleComplex, kDoubleComplex};
      return true;
    case cuda::CUFFT_D2Z:
      *types = {kDouble, kDoubleComplex, kDoubleComplex};
      return true;
    case cuda::CUFFT_Z2D:
      *types = {kDoubleComplex, kDouble, kDoubleComplex};
      return true;
    default:
      return false;
  }
}

}  // namespace torchada::cufft

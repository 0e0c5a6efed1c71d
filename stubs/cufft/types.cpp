#include "stubs/cufft/types.h"

#include "facts.h"

namespace torchada::cufft {

bool type_to_musa(int type, int* converted) {
  switch (type) {
    case cuda::CUFFT_C2C:
      *converted = musa::MUFFT_C2C;
      return true;
    case cuda::CUFFT_R2C:
      *converted = musa::MUFFT_R2C;
      return true;
    case cuda::CUFFT_C2R:
      *converted = musa::MUFFT_C2R;
      return true;
    case cuda::CUFFT_Z2Z:
      *converted = musa::MUFFT_Z2Z;
      return true;
    case cuda::CUFFT_D2Z:
      *converted = musa::MUFFT_D2Z;
      return true;
    case cuda::CUFFT_Z2D:
      *converted = musa::MUFFT_Z2D;
      return true;
    default:
      return false;
  }
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

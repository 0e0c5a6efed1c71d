// Kinds of transforms and of numbers, by MUSA's numbers.
#pragma once

namespace torchada::cufft {

// What muFFT's functions with 64-bit sizes take for a cufftType.
struct DataTypes {
  int input;
  int output;
  int execution;
};

// False, without a change of `converted`, if `type` is no cufftType.
bool type_to_musa(int type, int* converted);

// The kinds of numbers of a cufftType, by CUDA's numbers. False, without a change, if `type` is
// none.
bool numbers_of(int type, DataTypes* types);

// False, without a change of `converted`, if cuFFT transforms no numbers of this cudaDataType.
bool data_type_to_musa(int type, int* converted);

}  // namespace torchada::cufft

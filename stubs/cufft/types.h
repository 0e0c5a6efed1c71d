// Kinds of transforms and of numbers, by MUSA's numbers.
#pragma once

namespace torchada::cufft {

// False, without a change of `converted`, if `type` is no cufftType.
bool type_to_musa(int type, int* converted);

// False, without a change of `converted`, if cuFFT transforms no numbers of this cudaDataType.
bool data_type_to_musa(int type, int* converted);

}  // namespace torchada::cufft

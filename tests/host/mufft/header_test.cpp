// Values that a program compiled against a real muFFT contains.
#include <gtest/gtest.h>
#include <mufftXt.h>

#include <type_traits>

extern "C" mufftType complex_type_in_c(void);

namespace {

static_assert(MUFFT_C2C == 0x29 && MUFFT_R2C == 0x2a && MUFFT_C2R == 0x2c);
static_assert(MUFFT_Z2Z == 0x69 && MUFFT_D2Z == 0x6a && MUFFT_Z2D == 0x6c);
static_assert(MUFFT_FORWARD == -1 && MUFFT_INVERSE == 1 && MUFFT_SUCCESS == 0);
static_assert(MUFFT_INVALID_SIZE == 8 && MUFFT_NO_WORKSPACE == 13 && MUFFT_NOT_SUPPORTED == 16);
static_assert(std::is_pointer_v<mufftHandle>);
static_assert(sizeof(mufftComplex) == 8 && sizeof(mufftDoubleComplex) == 16);

TEST(MufftHeader, ServesC) { EXPECT_EQ(complex_type_in_c(), MUFFT_C2C); }

}  // namespace

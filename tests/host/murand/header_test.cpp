// Values that a program compiled against a real muRAND contains.
#include <gtest/gtest.h>
#include <murand.h>

extern "C" murandRngType_t default_type_in_c(void);

namespace {

static_assert(MURAND_RNG_PSEUDO_DEFAULT == 400 && MURAND_RNG_PSEUDO_XORWOW == 401);
static_assert(MURAND_RNG_PSEUDO_MRG32K3A == 402 && MURAND_RNG_PSEUDO_MTGP32 == 403);
static_assert(MURAND_RNG_PSEUDO_PHILOX4_32_10 == 404);
static_assert(MURAND_RNG_PSEUDO_MT19937 == 407 && MURAND_RNG_QUASI_DEFAULT == 500);
static_assert(MURAND_RNG_QUASI_SOBOL32 == 501 && MURAND_RNG_QUASI_SOBOL64 == 504);
static_assert(MURAND_STATUS_SUCCESS == 0 && MURAND_STATUS_VERSION_MISMATCH == 100);
static_assert(MURAND_STATUS_LAUNCH_FAILURE == 201 && MURAND_STATUS_INTERNAL_ERROR == 999);

TEST(MurandHeader, ServesC) { EXPECT_EQ(default_type_in_c(), MURAND_RNG_PSEUDO_DEFAULT); }

}  // namespace

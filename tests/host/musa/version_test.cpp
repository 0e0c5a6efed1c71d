#include <gtest/gtest.h>
#include <musa.h>
#include <musa_runtime_api.h>

namespace {

TEST(DriverVersion, muDriverGetVersion_is_that_of_the_runtime) {
  int driver = 0;
  ASSERT_EQ(muDriverGetVersion(&driver), MUSA_SUCCESS);
  EXPECT_EQ(driver, MUSART_VERSION);
  int by_runtime = 0;
  ASSERT_EQ(musaDriverGetVersion(&by_runtime), musaSuccess);
  EXPECT_EQ(by_runtime, driver);
  EXPECT_EQ(muDriverGetVersion(nullptr), MUSA_ERROR_INVALID_VALUE);
}

}  // namespace

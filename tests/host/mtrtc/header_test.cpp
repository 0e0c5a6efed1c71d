// Values that a program compiled against a real MTRTC is assumed to contain.
#include <gtest/gtest.h>
#include <mtrtc.h>

#include <type_traits>

extern "C" mtrtcResult last_result_in_c(void);

namespace {

static_assert(MTRTC_SUCCESS == 0 && MTRTC_ERROR_INVALID_INPUT == 3 && MTRTC_ERROR_COMPILATION == 6);
static_assert(MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID == 10);
static_assert(std::is_pointer_v<mtrtcProgram>);

TEST(MtrtcHeader, ServesC) { EXPECT_EQ(last_result_in_c(), MTRTC_ERROR_INTERNAL_ERROR); }

}  // namespace

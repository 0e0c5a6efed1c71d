// Values that a program compiled against the real MTML contains.
#include <mtml.h>

#include <cstddef>

#include "tests/host/mtml/support.h"

extern "C" MtmlReturn status_in_c(void);

namespace {

static_assert(MTML_SUCCESS == 0 && MTML_ERROR_INVALID_ARGUMENT == 3);
static_assert(MTML_ERROR_NOT_SUPPORTED == 4 && MTML_ERROR_UNKNOWN == 999);
static_assert(sizeof(MtmlPciInfo) == 104 && offsetof(MtmlPciInfo, segment) == 32);
static_assert(offsetof(MtmlPciInfo, pciMaxSpeed) == 56 && offsetof(MtmlPciInfo, rsvd) == 80);
static_assert(sizeof(MtmlDeviceProperty) == 8 && sizeof(MtmlLogConfiguration) == 296);
static_assert(sizeof(MtmlVirtType) == 136 && sizeof(MtmlMpcConfiguration) == 196);

TEST(MtmlHeader, ServesC) { EXPECT_EQ(MTML_ERROR_NOT_FOUND, status_in_c()); }

}  // namespace

// Devices and errors.
#include <cstring>

#include "tests/host/musart/each_function.h"

#undef musaGetDeviceProperties

namespace {

template <typename Get, typename Set, typename Value>
void expect_setting(Get&& get, Set&& set, Value value, Value bad, musaError_t error) {
  Value before{};
  Value found{};
  ASSERT_OK(get(&before));
  ASSERT_NE(value, before);
  ASSERT_OK(set(value));
  ASSERT_OK(get(&found));
  EXPECT_EQ(value, found);
  EXPECT_ERROR(error, set(bad));
  EXPECT_ERROR(musaErrorInvalidValue, get(nullptr));
  ASSERT_OK(set(before));
}

void limits() {
  expect_setting([](size_t* v) { return musaDeviceGetLimit(v, musaLimitStackSize); },
                 [](size_t v) {
                   return v == 0 ? musaDeviceSetLimit(static_cast<musaLimit>(99), 1)
                                 : musaDeviceSetLimit(musaLimitStackSize, v);
                 },
                 size_t{4096}, size_t{0}, musaErrorUnsupportedLimit);
}
void caches() {
  expect_setting(musaDeviceGetCacheConfig, musaDeviceSetCacheConfig, musaFuncCachePreferL1,
                 static_cast<musaFuncCache>(9), musaErrorInvalidValue);
}
void banks() {
  auto size = musaSharedMemBankSizeDefault;
  EXPECT_OK(musaDeviceSetSharedMemConfig(musaSharedMemBankSizeEightByte));
  ASSERT_OK(musaDeviceGetSharedMemConfig(&size));
  EXPECT_EQ(musaSharedMemBankSizeFourByte, size);  // fixed
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceSetSharedMemConfig(static_cast<musaSharedMemConfig>(9)));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetSharedMemConfig(nullptr));
}
void flags() {
  expect_setting(musaGetDeviceFlags, musaSetDeviceFlags,
                 static_cast<unsigned>(musaDeviceScheduleSpin | musaDeviceMapHost), 0x1000u,
                 musaErrorInvalidValue);
}
void pci() {
  char id[16] = {};
  int device = -1;
  ASSERT_OK(musaDeviceGetPCIBusId(id, sizeof(id), 0));
  EXPECT_STREQ("ffff:00:00.0", id);
  ASSERT_OK(musaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(0, device);
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetPCIBusId(id, 3, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetByPCIBusId(&device, "0:1:0"));
}

INSTANTIATE_TEST_SUITE_P(
    Devices, EachFunction,
    ::testing::Values(
        Case{"musaGetDeviceCount",
             [] {
               int count = 99;
               EXPECT_OK(musaGetDeviceCount(&count));
               EXPECT_EQ(1, count);
             }},
        Case{"musaGetDevice",
             [] {
               int device = 99;
               EXPECT_OK(musaGetDevice(&device));
               EXPECT_EQ(0, device);
             }},
        Case{"musaSetDevice", [] { EXPECT_ERROR(musaErrorInvalidDevice, musaSetDevice(1)); }},
        Case{"musaInitDevice",
             [] { EXPECT_ERROR(musaErrorInvalidDevice, musaInitDevice(1, 0, 0)); }},
        Case{"musaSetValidDevices",
             [] {
               int device = 3;
               EXPECT_ERROR(musaErrorInvalidDevice, musaSetValidDevices(&device, 1));
             }},
        Case{"musaDeviceGetAttribute",
             [] {
               int value = 0;
               EXPECT_OK(musaDeviceGetAttribute(&value, musaDevAttrWarpSize, 0));
               EXPECT_EQ(32, value);
             }},
        Case{"musaGetDeviceProperties",
             [] {
               // It fills the struct of SDKs before 4.3, and nothing behind it.
               musaDeviceProp prop{};
               std::memset(&prop, 0x5a, sizeof prop);
               EXPECT_OK(musaGetDeviceProperties(&prop, 0));
               EXPECT_EQ(32, prop.warpSize);
               EXPECT_EQ(0x5a5a5a5a, prop.hostRegisterSupported);
               EXPECT_EQ(0x5a5a5a5a, prop.reserved[62]);
               EXPECT_ERROR(musaErrorInvalidValue, musaGetDeviceProperties(nullptr, 0));
             }},
        Case{"musaGetDeviceProperties_v2",
             [] {
               musaDeviceProp prop{};
               std::memset(&prop, 0x5a, sizeof prop);
               EXPECT_OK(musaGetDeviceProperties_v2(&prop, 0));
               EXPECT_EQ(32, prop.warpSize);
               EXPECT_EQ(1, prop.hostRegisterSupported);
               EXPECT_EQ(0, prop.reserved[62]);
               EXPECT_ERROR(musaErrorInvalidValue, musaGetDeviceProperties_v2(nullptr, 0));
             }},
        Case{"musaDeviceGetLimit", limits}, Case{"musaDeviceSetLimit", limits},
        Case{"musaDeviceGetCacheConfig", caches}, Case{"musaDeviceSetCacheConfig", caches},
        Case{"musaDeviceGetSharedMemConfig", banks}, Case{"musaDeviceSetSharedMemConfig", banks},
        Case{"musaGetDeviceFlags", flags}, Case{"musaSetDeviceFlags", flags},
        Case{"musaDeviceGetPCIBusId", pci}, Case{"musaDeviceGetByPCIBusId", pci},
        Case{"musaDeviceCanAccessPeer",
             [] {
               int can = 99;
               EXPECT_OK(musaDeviceCanAccessPeer(&can, 0, 0));
               EXPECT_EQ(0, can);
             }},
        Case{"musaDeviceEnablePeerAccess",
             [] { EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(1, 0)); }},
        Case{"musaDeviceDisablePeerAccess",
             [] { EXPECT_ERROR(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(0)); }},
        Case{"musaDeviceGetP2PAttribute",
             [] {
               int value = 0;
               EXPECT_ERROR(musaErrorInvalidDevice,
                            musaDeviceGetP2PAttribute(&value, musaDevP2PAttrAccessSupported, 0, 1));
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Errors, EachFunction,
    ::testing::Values(Case{"musaGetLastError",
                           [] {
                             EXPECT_EQ(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
                             EXPECT_EQ(musaErrorInvalidValue, musaGetLastError());
                             EXPECT_EQ(musaSuccess, musaGetLastError());
                           }},
                      Case{"musaPeekAtLastError",
                           [] {
                             EXPECT_EQ(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
                             EXPECT_EQ(musaErrorInvalidValue, musaPeekAtLastError());
                             EXPECT_EQ(musaErrorInvalidValue, musaGetLastError());
                           }},
                      Case{"musaGetErrorName",
                           [] {
                             EXPECT_STREQ("musaErrorInvalidValue",
                                          musaGetErrorName(musaErrorInvalidValue));
                           }},
                      Case{"musaGetErrorString",
                           [] { EXPECT_STREQ("no error", musaGetErrorString(musaSuccess)); }},
                      Case{"musaRuntimeGetVersion",
                           [] {
                             int version = 0;
                             EXPECT_OK(musaRuntimeGetVersion(&version));
                             EXPECT_GE(version, 10000);
                           }},
                      Case{"musaDriverGetVersion",
                           [] {
                             int version = 0;
                             EXPECT_OK(musaDriverGetVersion(&version));
                             EXPECT_GE(version, 10000);
                           }}),
    name_of);

}  // namespace

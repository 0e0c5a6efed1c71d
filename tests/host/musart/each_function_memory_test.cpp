// Memory, pools and sharing between processes.
#include <array>
#include <vector>

#include "tests/host/musart/each_function.h"

namespace {

template <typename Allocate, typename Free>
void expect_memory(Allocate&& allocate, Free&& give_back) {
  void* memory = nullptr;
  ASSERT_OK(allocate(&memory));
  ASSERT_NE(nullptr, memory);
  EXPECT_TRUE(is_readable(memory));
  EXPECT_OK(give_back(memory));
  EXPECT_ERROR(musaErrorInvalidValue, give_back(memory));
}

void host_memory() {
  void* memory = nullptr;
  ASSERT_OK(musaHostAlloc(&memory, 100, musaHostAllocMapped));
  unsigned int found = 99;
  EXPECT_OK(musaHostGetFlags(&found, memory));
  EXPECT_EQ(static_cast<unsigned>(musaHostAllocMapped), found);
  void* device = nullptr;
  EXPECT_OK(musaHostGetDevicePointer(&device, memory, 0));
  EXPECT_EQ(memory, device);
  EXPECT_OK(musaFreeHost(memory));
}

musaMemPoolProps usual_pool() {
  musaMemPoolProps wanted{};
  wanted.allocType = musaMemAllocationTypePinned;
  wanted.location = {musaMemLocationTypeDevice, 0};
  return wanted;
}

void pools() {
  const musaMemPoolProps wanted = usual_pool();
  musaMemPool_t pool = nullptr;
  musaMemPool_t found = nullptr;
  musaMemPool_t standard = nullptr;
  ASSERT_OK(musaMemPoolCreate(&pool, &wanted));
  ASSERT_OK(musaDeviceGetDefaultMemPool(&standard, 0));
  ASSERT_NE(nullptr, standard);
  ASSERT_OK(musaDeviceSetMemPool(0, pool));
  ASSERT_OK(musaDeviceGetMemPool(&found, 0));
  EXPECT_EQ(pool, found);
  uint64_t threshold = 12345;
  ASSERT_OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  ASSERT_OK(musaMemPoolGetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT_EQ(12345u, threshold);
  musaMemLocation here{musaMemLocationTypeDevice, 0};
  auto access = musaMemAccessFlagsProtNone;
  EXPECT_OK(musaMemPoolGetAccess(&access, pool, &here));
  EXPECT_EQ(musaMemAccessFlagsProtReadWrite, access);
  const musaMemAccessDesc none{here, musaMemAccessFlagsProtNone};
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolSetAccess(pool, &none, 1));
  void* memory = nullptr;
  ASSERT_OK(musaMallocFromPoolAsync(&memory, 100, pool, nullptr));
  ASSERT_NE(nullptr, memory);
  ASSERT_OK(musaFreeAsync(memory, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(memory, nullptr));
  EXPECT_OK(musaMemPoolDestroy(pool));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolDestroy(pool));
  ASSERT_OK(musaDeviceGetMemPool(&found, 0));
  EXPECT_EQ(standard, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolTrimTo(kBadPool, 0));
}

void ranges() {
  const Pair pair;
  const auto read = [&](musaMemRangeAttribute attribute) {
    int value = 99;
    EXPECT_OK(musaMemRangeGetAttribute(&value, sizeof(value), attribute, pair.to, 64));
    return value;
  };
  EXPECT_EQ(musaMemLocationTypeInvalid, read(musaMemRangeAttributePreferredLocationType));
  ASSERT_OK(musaMemAdvise(pair.to, 64, musaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(musaMemLocationTypeDevice, read(musaMemRangeAttributePreferredLocationType));
  EXPECT_EQ(0, read(musaMemRangeAttributePreferredLocationId));
  ASSERT_OK(musaMemAdvise_v2(pair.to, 64, musaMemAdviseSetPreferredLocation,
                             {musaMemLocationTypeHost, 0}));
  EXPECT_EQ(musaMemLocationTypeHost, read(musaMemRangeAttributePreferredLocationType));
  ASSERT_OK(musaMemPrefetchAsync(pair.to, 64, musaCpuDeviceId, nullptr));
  EXPECT_EQ(musaCpuDeviceId, read(musaMemRangeAttributeLastPrefetchLocationId));
  ASSERT_OK(musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeDevice, 0}, 0, nullptr));
  EXPECT_EQ(0, read(musaMemRangeAttributeLastPrefetchLocationId));
  EXPECT_EQ(musaMemLocationTypeDevice, read(musaMemRangeAttributeLastPrefetchLocationType));

  int preferred = 99;
  int prefetched = 99;
  void* data[] = {&preferred, &prefetched};
  size_t sizes[] = {sizeof(int), sizeof(int)};
  musaMemRangeAttribute wanted[] = {musaMemRangeAttributePreferredLocation,
                                    musaMemRangeAttributeLastPrefetchLocation};
  ASSERT_OK(musaMemRangeGetAttributes(data, sizes, wanted, 2, pair.to, 64));
  EXPECT_EQ(musaCpuDeviceId, preferred);
  EXPECT_EQ(0, prefetched);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(data, sizes, wanted, 0, pair.to, 64));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(nullptr, sizes, wanted, 2, pair.to, 64));
  sizes[1] = 2;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(data, sizes, wanted, 2, pair.to, 64));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeDevice, 0}, 1, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeInvalid, 0}, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeDevice, 7}, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaMemAdvise_v2(pair.to, 64, musaMemAdviseSetPreferredLocation,
                                {musaMemLocationTypeDevice, 7}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise_v2(pair.to, 64, musaMemAdviseSetPreferredLocation,
                                {musaMemLocationTypeInvalid, 0}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise(pair.to, 65, musaMemAdviseSetPreferredLocation, 0));
}

INSTANTIATE_TEST_SUITE_P(
    Memory, EachFunction,
    ::testing::Values(
        Case{"musaMalloc",
             [] { expect_memory([](void** p) { return musaMalloc(p, 100); }, musaFree); }},
        Case{"musaFree",
             [] { expect_memory([](void** p) { return musaMalloc(p, 100); }, musaFree); }},
        Case{"musaMallocHost",
             [] { expect_memory([](void** p) { return musaMallocHost(p, 100); }, musaFreeHost); }},
        Case{"musaMallocManaged",
             [] { expect_memory([](void** p) { return musaMallocManaged(p, 100); }, musaFree); }},
        Case{"musaMallocAsync",
             [] {
               expect_memory([](void** p) { return musaMallocAsync(p, 100, nullptr); }, musaFree);
             }},
        Case{"musaMallocPitch",
             [] {
               size_t pitch = 0;
               expect_memory([&](void** p) { return musaMallocPitch(p, &pitch, 100, 3); },
                             musaFree);
               EXPECT_GE(pitch, 100u);
             }},
        Case{"musaMalloc3D",
             [] {
               musaPitchedPtr memory{};
               ASSERT_OK(musaMalloc3D(&memory, {100, 3, 2}));
               EXPECT_NE(nullptr, memory.ptr);
               EXPECT_OK(musaFree(memory.ptr));
             }},
        Case{"musaMemGetInfo",
             [] {
               size_t free = 0;
               size_t total = 0;
               EXPECT_OK(musaMemGetInfo(&free, &total));
               EXPECT_EQ(size_t{256} << 20, total);
             }},
        Case{"musaHostAlloc", host_memory}, Case{"musaHostGetFlags", host_memory},
        Case{"musaHostGetDevicePointer", host_memory},
        Case{"musaHostRegister",
             [] {
               std::vector<char> buffer(100);
               ASSERT_OK(musaHostRegister(buffer.data(), 100, 0));
               EXPECT_OK(musaHostUnregister(buffer.data()));
               EXPECT_ERROR(musaErrorInvalidValue, musaHostRegister(buffer.data(), 0, 0));
             }},
        Case{"musaPointerGetAttributes",
             [] {
               const Pair pair;
               musaPointerAttributes attributes{};
               EXPECT_OK(musaPointerGetAttributes(&attributes, pair.to + 63));
               EXPECT_EQ(musaMemoryTypeManaged, attributes.type);
               EXPECT_EQ(pair.to + 63, attributes.devicePointer);
             }},
        Case{"musaMemAdvise", ranges}, Case{"musaMemAdvise_v2", ranges},
        Case{"musaMemPrefetchAsync", ranges}, Case{"musaMemPrefetchAsync_v2", ranges},
        Case{"musaMemRangeGetAttribute", ranges}, Case{"musaMemRangeGetAttributes", ranges}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Pools, EachFunction,
    ::testing::Values(Case{"musaMemPoolCreate", pools}, Case{"musaMemPoolDestroy", pools},
                      Case{"musaMemPoolTrimTo", pools}, Case{"musaMemPoolGetAttribute", pools},
                      Case{"musaMemPoolSetAttribute", pools}, Case{"musaMemPoolGetAccess", pools},
                      Case{"musaMemPoolSetAccess", pools}, Case{"musaDeviceGetMemPool", pools},
                      Case{"musaDeviceSetMemPool", pools},
                      Case{"musaDeviceGetDefaultMemPool", pools},
                      Case{"musaMallocFromPoolAsync", pools}, Case{"musaFreeAsync", pools}),
    name_of);

void share_with_helper() {
  void* memory = nullptr;
  std::array<unsigned char, 100> contents{};
  for (size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<unsigned char>(i);
  ASSERT_OK(musaMalloc(&memory, contents.size()));
  ASSERT_OK(musaMemcpy(memory, contents.data(), contents.size(), musaMemcpyHostToDevice));
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  // The helper opens, uses and closes the memory.
  const Outcome run = run_helper("use-shared " + to_hex(handle) + " 100");
  EXPECT_EQ(0, run.status) << run.output;
  EXPECT_OK(musaFree(memory));
}

INSTANTIATE_TEST_SUITE_P(Sharing, EachFunction,
                         ::testing::Values(Case{"musaIpcGetMemHandle", share_with_helper},
                                           Case{"musaIpcOpenMemHandle", share_with_helper},
                                           Case{"musaIpcCloseMemHandle", share_with_helper}),
                         name_of);

}  // namespace

// Reserve, create, map: the same memory at several addresses, and memory given back in time.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "tests/host/musa/descriptors.h"
#include "tests/host/musa/support.h"

namespace {

constexpr MUmemAllocationHandleType kDescriptor = MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

MUmemAllocationProp properties(MUmemAllocationHandleType type = MU_MEM_HANDLE_TYPE_NONE) {
  MUmemAllocationProp prop{};
  prop.type = MU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = type;
  prop.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
  return prop;
}

class DriverVirtualMemory : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    const MUmemAllocationProp prop = properties();
    ASSERT_MU(muMemGetAllocationGranularity(&chunk_, &prop, MU_MEM_ALLOC_GRANULARITY_MINIMUM));
  }
  MUmemGenericAllocationHandle create(MUmemAllocationHandleType type = MU_MEM_HANDLE_TYPE_NONE) {
    const MUmemAllocationProp prop = properties(type);
    MUmemGenericAllocationHandle handle = 0;
    EXPECT_MU(muMemCreate(&handle, chunk_, &prop, 0));
    return handle;
  }
  MUdeviceptr reserve(size_t chunks) {
    MUdeviceptr address = 0;
    EXPECT_MU(muMemAddressReserve(&address, chunks * chunk_, 0, 0, 0));
    return address;
  }
  MUresult access(MUdeviceptr address, size_t chunks,
                  MUmemAccess_flags flags = MU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
    const MUmemAccessDesc desc{{MU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
    return muMemSetAccess(address, chunks * chunk_, &desc, 1);
  }
  static size_t in_use() {
    size_t free = 0;
    size_t total = 0;
    EXPECT_MU(muMemGetInfo_v2(&free, &total));
    return total - free;
  }

  size_t chunk_ = 0;
};

TEST_F(DriverVirtualMemory, muMemAddressReserve_and_muMemAddressFree) {
  MUdeviceptr address = 0;
  EXPECT_MU(muMemAddressReserve(&address, 4 * chunk_, chunk_ * 16, 0, 0));
  EXPECT_EQ(address % (chunk_ * 16), 0U);
  EXPECT_EQ(muMemAddressFree(address, chunk_), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemAddressFree(address, 4 * chunk_));
  EXPECT_EQ(muMemAddressFree(address, 4 * chunk_), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAddressReserve(&address, chunk_ + 1, 0, 0, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAddressReserve(&address, chunk_, 3, 0, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAddressReserve(nullptr, chunk_, 0, 0, 0), MUSA_ERROR_INVALID_VALUE);
  MUdeviceptr again = 0;
  EXPECT_MU(muMemAddressReserve(&again, chunk_, 0, address, 0));
  EXPECT_MU(muMemAddressFree(again, chunk_));
}

TEST_F(DriverVirtualMemory, muMemGetAllocationGranularity_checks_the_properties) {
  EXPECT_GT(chunk_, 0U);
  MUmemAllocationProp prop = properties();
  prop.location.id = 9;
  EXPECT_EQ(muMemGetAllocationGranularity(&chunk_, &prop, MU_MEM_ALLOC_GRANULARITY_MINIMUM),
            MUSA_ERROR_INVALID_DEVICE);
  prop = properties(MU_MEM_HANDLE_TYPE_WIN32);
  EXPECT_EQ(muMemGetAllocationGranularity(&chunk_, &prop, MU_MEM_ALLOC_GRANULARITY_MINIMUM),
            MUSA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverVirtualMemory, muMemCreate_and_muMemRelease_count_memory) {
  const size_t before = in_use();
  const MUmemGenericAllocationHandle handle = create();
  EXPECT_EQ(in_use(), before + chunk_);
  EXPECT_MU(muMemRelease(handle));
  EXPECT_EQ(in_use(), before);
  EXPECT_EQ(muMemRelease(handle), MUSA_ERROR_INVALID_VALUE);
  const MUmemAllocationProp prop = properties();
  MUmemGenericAllocationHandle none = 0;
  EXPECT_EQ(muMemCreate(&none, chunk_ + 1, &prop, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemCreate(&none, size_t{2} << 30, &prop, 0), MUSA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(muMemCreate(&none, chunk_, nullptr, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverVirtualMemory, muMemMap_muMemSetAccess_muMemUnmap_alias_the_same_bytes) {
  const size_t before = in_use();
  const MUmemGenericAllocationHandle handle = create();
  const MUdeviceptr base = reserve(3);
  EXPECT_MU(muMemMap(base, chunk_, 0, handle, 0));
  EXPECT_EQ(muMemMap(base, chunk_, 0, handle, 0), MUSA_ERROR_INVALID_VALUE) << "taken";
  EXPECT_MU(muMemMap(base + 2 * chunk_, chunk_, 0, handle, 0));
  EXPECT_EQ(muMemcpyHtoD_v2(base, "x", 1), MUSA_ERROR_INVALID_VALUE) << "no access yet";
  EXPECT_EQ(access(base, 2), MUSA_ERROR_INVALID_VALUE) << "not mapped as a whole";
  EXPECT_MU(access(base, 1));
  EXPECT_MU(access(base + 2 * chunk_, 1));
  EXPECT_MU(muMemcpyHtoD_v2(base + 5, "alias", 5));
  EXPECT_EQ(read(base + 2 * chunk_ + 5, 5), "alias");
  EXPECT_EQ(muMemFree_v2(base), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAddressFree(base, 3 * chunk_), MUSA_ERROR_INVALID_VALUE) << "still mapped";
  // The last alias gives the memory back.
  EXPECT_MU(muMemRelease(handle));
  EXPECT_MU(muMemUnmap(base, chunk_));
  EXPECT_EQ(in_use(), before + chunk_);
  EXPECT_EQ(read(base + 2 * chunk_ + 5, 5), "alias");
  EXPECT_MU(muMemUnmap(base + 2 * chunk_, chunk_));
  EXPECT_EQ(in_use(), before);
  EXPECT_EQ(muMemUnmap(base, chunk_), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemAddressFree(base, 3 * chunk_));
}

TEST_F(DriverVirtualMemory, muMemMap_of_neighbours_makes_one_piece) {
  const MUdeviceptr base = reserve(2);
  for (size_t i = 0; i < 2; ++i) {
    const MUmemGenericAllocationHandle handle = create();
    ASSERT_MU(muMemMap(base + i * chunk_, chunk_, 0, handle, 0));
    ASSERT_MU(muMemRelease(handle));
  }
  ASSERT_MU(access(base, 2));
  EXPECT_MU(muMemsetD8_v2(base, 'n', 2 * chunk_));
  EXPECT_EQ(read(base + chunk_ - 2, 4), "nnnn");
  EXPECT_EQ(muMemsetD8_v2(base, 'n', 2 * chunk_ + 1), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemUnmap(base, 2 * chunk_));
  EXPECT_MU(muMemAddressFree(base, 2 * chunk_));
}

TEST_F(DriverVirtualMemory, muMemSetAccess_and_muMemGetAccess) {
  const MUmemGenericAllocationHandle handle = create();
  const MUdeviceptr base = reserve(1);
  ASSERT_MU(muMemMap(base, chunk_, 0, handle, 0));
  const MUmemLocation here{MU_MEM_LOCATION_TYPE_DEVICE, 0};
  unsigned long long flags = 9;
  EXPECT_MU(muMemGetAccess(&flags, &here, base));
  EXPECT_EQ(flags, 0U);
  EXPECT_MU(access(base, 1));
  EXPECT_MU(muMemGetAccess(&flags, &here, base + 1));
  EXPECT_EQ(flags, 3U);
  EXPECT_MU(access(base, 1, MU_MEM_ACCESS_FLAGS_PROT_NONE));
  EXPECT_EQ(muMemsetD8_v2(base, 1, 1), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(access(base, 1, static_cast<MUmemAccess_flags>(2)), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemUnmap(base, chunk_));
  EXPECT_EQ(muMemGetAccess(&flags, &here, base), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemRelease(handle));
  EXPECT_MU(muMemAddressFree(base, chunk_));
}

TEST_F(DriverVirtualMemory,
       muMemRetainAllocationHandle_and_muMemGetAllocationPropertiesFromHandle) {
  const MUmemGenericAllocationHandle handle = create(kDescriptor);
  MUmemAllocationProp prop{};
  EXPECT_MU(muMemGetAllocationPropertiesFromHandle(&prop, handle));
  EXPECT_EQ(prop.requestedHandleTypes, kDescriptor);
  EXPECT_EQ(prop.location.type, MU_MEM_LOCATION_TYPE_DEVICE);
  const MUdeviceptr base = reserve(1);
  ASSERT_MU(muMemMap(base, chunk_, 0, handle, 0));
  ASSERT_MU(access(base, 1));
  unsigned long long types = 0;
  EXPECT_MU(muPointerGetAttribute(&types, MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, base));
  EXPECT_EQ(types, 1U);
  MUmemGenericAllocationHandle same = 0;
  EXPECT_MU(muMemRetainAllocationHandle(&same, reinterpret_cast<void*>(base + 1)));
  EXPECT_EQ(same, handle);
  EXPECT_MU(muMemRelease(handle));
  EXPECT_MU(muMemGetAllocationPropertiesFromHandle(&prop, same));
  EXPECT_MU(muMemRelease(same));
  EXPECT_EQ(muMemGetAllocationPropertiesFromHandle(&prop, same), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemUnmap(base, chunk_));
  EXPECT_EQ(muMemRetainAllocationHandle(&same, reinterpret_cast<void*>(base)),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemAddressFree(base, chunk_));
}

TEST_F(DriverVirtualMemory, muMemExportToShareableHandle_and_muMemImportFromShareableHandle) {
  const MUmemGenericAllocationHandle handle = create(kDescriptor);
  int descriptor = -1;
  EXPECT_MU(muMemExportToShareableHandle(&descriptor, handle, kDescriptor, 0));
  EXPECT_GE(descriptor, 3);
  EXPECT_NE(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0);
  MUmemGenericAllocationHandle imported = 0;
  void* const os_handle = reinterpret_cast<void*>(static_cast<intptr_t>(descriptor));
  EXPECT_MU(muMemImportFromShareableHandle(&imported, os_handle, kDescriptor));
  EXPECT_EQ(close(descriptor), 0) << "the caller's own";
  const MUdeviceptr base = reserve(2);
  ASSERT_MU(muMemMap(base, chunk_, 0, handle, 0));
  ASSERT_MU(muMemMap(base + chunk_, chunk_, 0, imported, 0));
  ASSERT_MU(access(base, 2));
  EXPECT_MU(muMemcpyHtoD_v2(base, "shared", 6));
  EXPECT_EQ(read(base + chunk_, 6), "shared");
  EXPECT_MU(muMemRelease(handle));
  EXPECT_MU(muMemRelease(imported));
  EXPECT_MU(muMemUnmap(base, 2 * chunk_));
  EXPECT_MU(muMemAddressFree(base, 2 * chunk_));
  const MUmemGenericAllocationHandle plain = create();
  EXPECT_EQ(muMemExportToShareableHandle(&descriptor, plain, kDescriptor, 0),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemRelease(plain));
  EXPECT_EQ(muMemImportFromShareableHandle(&imported, nullptr, kDescriptor),
            MUSA_ERROR_INVALID_VALUE);
}

// Each of two processes maps what the other created. The descriptors go through a socket, and the
// other process is gone when its allocation is mapped here.
TEST_F(DriverVirtualMemory,
       muMemImportFromShareableHandle_and_muMemExportToShareableHandle_between_processes) {
  const size_t before = in_use();
  int sockets[2] = {-1, -1};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(sockets[0]);
    const std::string prefix = HOST_PREFIX;
    execl(PROBE, PROBE, (prefix + "/driver/assumed/libmusa.so").c_str(),
          (prefix + "/assumed/lib/libmusart.so.5").c_str(), "share",
          std::to_string(sockets[1]).c_str(), std::to_string(chunk_).c_str(), nullptr);
    _exit(9);
  }
  close(sockets[1]);
  const MUmemGenericAllocationHandle own = create(kDescriptor);
  const MUdeviceptr base = reserve(2);
  ASSERT_MU(muMemMap(base, chunk_, 0, own, 0));
  ASSERT_MU(access(base, 1));
  EXPECT_MU(muMemcpyHtoD_v2(base, "asked!", 6));
  int descriptor = -1;
  ASSERT_MU(muMemExportToShareableHandle(&descriptor, own, kDescriptor, 0));
  EXPECT_TRUE(send_descriptor(sockets[0], descriptor));
  EXPECT_EQ(close(descriptor), 0);
  const int theirs = receive_descriptor(sockets[0]);
  close(sockets[0]);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read(base, 6), "answer");
  MUmemGenericAllocationHandle imported = 0;
  ASSERT_MU(muMemImportFromShareableHandle(
      &imported, reinterpret_cast<void*>(static_cast<intptr_t>(theirs)), kDescriptor));
  EXPECT_EQ(close(theirs), 0);
  ASSERT_MU(muMemMap(base + chunk_, chunk_, 0, imported, 0));
  ASSERT_MU(access(base + chunk_, 1));
  EXPECT_EQ(read(base + chunk_, 6), "asked!");
  EXPECT_MU(muMemRelease(own));
  EXPECT_MU(muMemRelease(imported));
  EXPECT_MU(muMemUnmap(base, 2 * chunk_));
  EXPECT_MU(muMemAddressFree(base, 2 * chunk_));
  EXPECT_EQ(in_use(), before);
}

// 5,000 chunks where a process may have 1,024 descriptors.
TEST_F(DriverVirtualMemory, ManyChunksNeedNoDescriptors) {
  constexpr size_t kChunks = 5000;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 1024;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const size_t used = in_use();
  const MUdeviceptr base = reserve(kChunks);
  for (size_t i = 0; i < kChunks; ++i) {
    const MUmemGenericAllocationHandle handle = create();
    ASSERT_MU(muMemMap(base + i * chunk_, chunk_, 0, handle, 0)) << i;
    ASSERT_MU(muMemRelease(handle));
  }
  ASSERT_MU(access(base, kChunks));
  EXPECT_EQ(in_use(), used + kChunks * chunk_);
  EXPECT_MU(muMemcpyHtoD_v2(base + (kChunks - 1) * chunk_, "last", 4));
  EXPECT_EQ(read(base + (kChunks - 1) * chunk_, 4), "last");
  EXPECT_MU(muMemUnmap(base, kChunks * chunk_));
  EXPECT_EQ(in_use(), used);
  EXPECT_MU(muMemAddressFree(base, kChunks * chunk_));
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace

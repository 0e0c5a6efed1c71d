// libcuda's adapters against the recording backend: what a program passes and what MUSA gets.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/recording/child.h"
#include "tests/recording/cuda_driver.h"

namespace recording::driver {
namespace {

struct Literal {
  const char* cuda;
  const char* musa;
  Words passed;
  Words received;
};

// Stands for each struct that a program passes. No word of it is zero.
std::uint64_t some_struct[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26};

// Functions whose arguments MUSA's function takes as they are, but for structs, of which it gets a
// copy.
const Literal kUnchanged[] = {
    {"cuUserObjectCreate", "musaUserObjectCreate", {0x1000, 0x2000, 0x3000, 4, 1}, {}},
    {"cuUserObjectRetain", "musaUserObjectRetain", {0x1000, 4}, {}},
    {"cuUserObjectRelease", "musaUserObjectRelease", {0x1000, 4}, {}},
    {"cuGraphRetainUserObject", "musaGraphRetainUserObject", {0x1000, 0x2000, 4, 1}, {}},
    {"cuGraphReleaseUserObject", "musaGraphReleaseUserObject", {0x1000, 0x2000, 4}, {}},
    {"cuGraphInstantiateWithFlags",
     "musaGraphInstantiateWithFlags",
     {0x1000, 0x2000, 1ULL << 40},
     {}},
    {"cuGraphInstantiateWithParams",
     "musaGraphInstantiateWithParams",
     {0x1000, 0x2000, at(some_struct)},
     {}},
    {"cuGraphExecGetFlags", "musaGraphExecGetFlags", {0x1000, 0x2000}, {}},
    {"cuGraphMemAllocNodeGetParams",
     "musaGraphMemAllocNodeGetParams",
     {0x1000, at(some_struct)},
     {}},
    {"cuGraphMemFreeNodeGetParams", "musaGraphMemFreeNodeGetParams", {0x1000, 0x2000}, {}},
    {"cuGraphNodeGetEnabled", "musaGraphNodeGetEnabled", {0x1000, 0x2000, 0x3000}, {}},
    {"cuGraphNodeSetEnabled", "musaGraphNodeSetEnabled", {0x1000, 0x2000, 1}, {}},
    {"cuGraphKernelNodeCopyAttributes", "musaGraphKernelNodeCopyAttributes", {0x1000, 0x2000}, {}},
    {"cuGraphKernelNodeGetAttribute",
     "musaGraphKernelNodeGetAttribute",
     {0x1000, 2, at(some_struct)},
     {}},
    {"cuGraphKernelNodeSetAttribute",
     "musaGraphKernelNodeSetAttribute",
     {0x1000, 2, at(some_struct)},
     {}},
    {"cuGraphRemoveDependencies",
     "musaGraphRemoveDependencies",
     {0x1000, 0x2000, 0x3000, 1ULL << 33},
     {}},
    {"cuMemPoolCreate", "musaMemPoolCreate", {0x1000, at(some_struct)}, {}},
    {"cuMemPoolDestroy", "musaMemPoolDestroy", {0x1000}, {}},
    {"cuMemPoolTrimTo", "musaMemPoolTrimTo", {0x1000, 1ULL << 33}, {}},
    {"cuMemPoolGetAttribute", "musaMemPoolGetAttribute", {0x1000, 4, 0x2000}, {}},
    {"cuMemPoolSetAttribute", "musaMemPoolSetAttribute", {0x1000, 4, 0x2000}, {}},
    {"cuMemPoolGetAccess", "musaMemPoolGetAccess", {0x1000, 0x2000, at(some_struct)}, {}},
    {"cuMemPoolSetAccess", "musaMemPoolSetAccess", {0x1000, at(some_struct), 3}, {}},
    {"cuMemPoolExportToShareableHandle",
     "musaMemPoolExportToShareableHandle",
     {0x1000, 0x2000, 1, 0},
     {}},
    {"cuMemPoolImportFromShareableHandle",
     "musaMemPoolImportFromShareableHandle",
     {0x1000, 0x2000, 1, 0},
     {}},
    {"cuMemPoolExportPointer", "musaMemPoolExportPointer", {at(some_struct), 0x2000}, {}},
    {"cuMemPoolImportPointer", "musaMemPoolImportPointer", {0x1000, 0x2000, at(some_struct)}, {}},
    {"cuDeviceGetDefaultMemPool", "musaDeviceGetDefaultMemPool", {0x1000, 1}, {}},
    {"cuDeviceGetMemPool", "musaDeviceGetMemPool", {0x1000, 1}, {}},
    {"cuDeviceSetMemPool", "musaDeviceSetMemPool", {1, 0x1000}, {}},
    {"cuThreadExchangeStreamCaptureMode", "musaThreadExchangeStreamCaptureMode", {0x1000}, {}},
    {"cuMemGetAllocationPropertiesFromHandle",
     "muMemGetAllocationPropertiesFromHandle",
     {at(some_struct), 1ULL << 40},
     {}},
    {"cuProfilerStart", "musaProfilerStart", {}, {}},
    {"cuCtxDestroy", "muCtxDestroy_v2", {0x1000}, {}},
    {"cuCtxDestroy_v2", "muCtxDestroy_v2", {0x1000}, {}},
    {"cuFuncGetAttribute", "muFuncGetAttribute", {0x1000, 4, 0x2000}, {}},
    {"cuFuncSetAttribute", "muFuncSetAttribute", {0x1000, 8, 4096}, {}},
    {"cuFuncSetCacheConfig", "muFuncSetCacheConfig", {0x1000, 2}, {}},
    {"cuFuncSetSharedMemConfig", "muFuncSetSharedMemConfig", {0x1000, 2}, {}},
    {"cuFuncGetModule", "muFuncGetModule", {0x1000, 0x2000}, {}},
    {"cuModuleGetFunction", "muModuleGetFunction", {0x1000, 0x2000, 0x3000}, {}},
    {"cuModuleGetGlobal_v2", "muModuleGetGlobal_v2", {0x1000, 0x2000, 0x3000, 0x4000}, {}},
    {"cuModuleGetSurfRef", "muModuleGetSurfRef", {0x1000, 0x2000, 0x3000}, {}},
    {"cuModuleGetTexRef", "muModuleGetTexRef", {0x1000, 0x2000, 0x3000}, {}},
    {"cuModuleUnload", "muModuleUnload", {0x1000}, {}},
    {"cuDevicePrimaryCtxRelease", "muDevicePrimaryCtxRelease_v2", {1}, {}},
    {"cuDevicePrimaryCtxRelease_v2", "muDevicePrimaryCtxRelease_v2", {1}, {}},
    {"cuDevicePrimaryCtxReset", "muDevicePrimaryCtxReset_v2", {1}, {}},
    {"cuDevicePrimaryCtxReset_v2", "muDevicePrimaryCtxReset_v2", {1}, {}},
    {"cuProfilerStop", "musaProfilerStop", {}, {}},
};

// Functions that work in a stream: the words before the stream, and after it.
struct InStream {
  const char* cuda;
  const char* musa;
  Words before;
  Words after;
  Words after_received;  // If it differs.
  Status status = Status::kConverted;
};

const InStream kInStream[] = {
    {"cuStreamIsCapturing", "musaStreamIsCapturing", {}, {0x2000}, {}},
    {"cuStreamGetCaptureInfo",
     "musaStreamGetCaptureInfo_v2",
     {},
     {0x2000, 0x3000},
     {0x2000, 0x3000, 0, 0, 0}},
    {"cuStreamGetCaptureInfo_v2",
     "musaStreamGetCaptureInfo_v2",
     {},
     {0x2000, 0x3000, 0x4000, 0x5000, 0x6000},
     {}},
    {"cuStreamGetCaptureInfo_v3",
     "musaStreamGetCaptureInfo_v2",
     {},
     {0x2000, 0x3000, 0x4000, 0x5000, 0, 0x6000},
     {0x2000, 0x3000, 0x4000, 0x5000, 0x6000}},
    {"cuStreamUpdateCaptureDependencies",
     "musaStreamUpdateCaptureDependencies",
     {},
     {0x2000, 1ULL << 33, 1},
     {}},
    {"cuStreamUpdateCaptureDependencies_v2",
     "musaStreamUpdateCaptureDependencies",
     {},
     {0x2000, 0, 1ULL << 33, 1},
     {0x2000, 1ULL << 33, 1}},
    {"cuStreamBeginCapture", "muStreamBeginCapture_v2", {}, {}, {0}, Status::kAsItIs},
    {"cuStreamGetDevice", "muStreamGetCtx", {}, {0x2000}, {kOwn}},
    {"cuStreamGetCtx_v2", "muStreamGetCtx", {}, {0x2000, 0x3000}, {0x2000}},
    {"cuStreamGetId", "musaStreamGetId", {}, {0x2000}, {}},
    {"cuStreamGetAttribute", "muStreamGetAttribute", {}, {3, 0x2000}, {3, kOwn}},
    {"cuStreamGetAttribute", "muStreamGetPriority", {}, {8, 0x2000}, {0x2000}},
    {"cuLaunchHostFunc_v2", "muLaunchHostFunc", {}, {0x2000, 0x3000, 1}, {0x2000, 0x3000}},
    {"cuMemAllocAsync", "musaMallocAsync", {0x1000, 1ULL << 33}, {}, {}},
    {"cuMemFreeAsync", "musaFreeAsync", {0x1000}, {}, {}},
    {"cuMemAllocFromPoolAsync", "musaMallocFromPoolAsync", {0x1000, 1ULL << 33, 0x2000}, {}, {}},
    {"cuMemPrefetchAsync", "musaMemPrefetchAsync", {0x1000, 1ULL << 33, 1}, {}, {}},
    {"cuGraphUpload", "musaGraphUpload", {0x1000}, {}, {}},
};

TEST(CudaLiteral, ArgumentsArriveAsTheyAre) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              for (const Literal& literal : kUnchanged) {
                Words expected = literal.passed;
                for (std::uint64_t& word : expected) {
                  if (word == at(some_struct)) word |= kCopy;
                }
                out += objection(driver, literal.cuda, literal.passed, literal.musa, expected);
              }
              return out;
            }));
}

TEST(CudaLiteral, StreamsArriveAndNullIsTheThreadsOwnInPtsz) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto check = [&](const InStream& row, const std::string& suffix,
                                     std::uint64_t stream, std::uint64_t expected) {
                Words passed = row.before;
                passed.push_back(stream);
                passed.insert(passed.end(), row.after.begin(), row.after.end());
                Words received = row.before;
                received.push_back(expected);
                const Words& rest = row.after_received.empty() ? row.after : row.after_received;
                received.insert(received.end(), rest.begin(), rest.end());
                out += objection(driver, row.cuda + suffix, passed, row.musa, received, row.status);
              };
              for (const InStream& row : kInStream) {
                check(row, "", 0, 0);
                check(row, "", 0x9000, 0x9000);
                check(row, "_ptsz", 0, 2);
                check(row, "_ptsz", 0x9000, 0x9000);
              }
              return out;
            }));
}

TEST(CudaLiteral, LocationsBecomeDevices) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              // {type, id} in one register.
              constexpr std::uint64_t kDevice = (std::uint64_t{3} << 32) | 1;
              constexpr std::uint64_t kHost = (std::uint64_t{5} << 32) | 2;
              constexpr std::uint64_t kMinusOne = 0xffffffff;
              std::string out;
              const auto device_of = [&](const char* name, const Words& words, std::size_t index) {
                driver.call(name, words);
                const CallLog log = work_log();
                return log.size() == 1 ? received(log[0], index) & 0xffffffff : 99;
              };
              for (const char* name : {"cuMemPrefetchAsync_v2", "cuMemPrefetchAsync_v2_ptsz"}) {
                if (device_of(name, {0x1000, 64, kDevice, 0, 0x9000}, 2) != 3) out += "device\n";
                if (device_of(name, {0x1000, 64, kHost, 0, 0x9000}, 2) != kMinusOne)
                  out += "host\n";
              }
              out += objection(driver, "cuMemAdvise_v2", {0x1000, 64, 3, kDevice}, "muMemAdvise",
                               {0x1000, 64, 3, 3});
              if (device_of("cuMemAdvise_v2", {0x1000, 64, 5, kHost}, 3) != kMinusOne) {
                out += "cuMemAdvise_v2: host\n";
              }
              const std::uint64_t place = kDevice;
              out += objection(driver, "cuMemGetDefaultMemPool", {0x1000, at(&place), 1},
                               "musaDeviceGetDefaultMemPool", {0x1000, 3});
              out += objection(driver, "cuMemGetMemPool", {0x1000, at(&place), 1},
                               "musaDeviceGetMemPool", {0x1000, 3});
              out += objection(driver, "cuMemSetMemPool", {at(&place), 1, 0x1000},
                               "musaDeviceSetMemPool", {3, 0x1000});
              return out;
            }));
}

// CUlaunchConfig.
struct Config {
  std::uint32_t shape[7];
  std::uint32_t pad;
  std::uint64_t stream;
  std::uint64_t attributes;
  std::uint64_t count;
};
static_assert(sizeof(Config) == 56);

TEST(CudaLiteral, LaunchesWithAttributes) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        std::uint64_t attributes[18] = {4, 2, 0, 0, 0, 0, 0, 0, 0, 2, 1};
        const Config plain{{1, 2, 3, 4, 5, 6, 7}, 0, 0x9000, 0, 0};
        const Config clustered{{1, 2, 3, 4, 5, 6, 7}, 0, 0, at(attributes), 2};
        std::string out;
        out += objection(driver, "cuLaunchKernelEx", {at(&plain), 0x1000, 0x2000, 0x3000},
                         "muLaunchKernel", {0x1000, 1, 2, 3, 4, 5, 6, 7, 0x9000, 0x2000, 0x3000});
        out += objection(driver, "cuLaunchKernelEx", {at(&clustered), 0x1000, 0x2000, 0x3000},
                         "muLaunchKernelEx", {kOwn, 0x1000, 0x2000, 0x3000});
        recording_look("muLaunchKernelEx", 0, 0);
        out += objection(driver, "cuLaunchKernelEx_ptsz", {at(&clustered), 0x1000, 0x2000, 0x3000},
                         "muLaunchKernelEx", {kOwn, 0x1000, 0x2000, 0x3000});
        for (const char* name : {"cuLaunchCooperativeKernel", "cuLaunchCooperativeKernel_ptsz"}) {
          out += objection(driver, name, {0x1000, 1, 2, 3, 4, 5, 6, 7, 0x9000, 0x2000},
                           "muLaunchKernelEx", {kOwn, 0x1000, 0x2000, 0});
          const recording_call call = recording_get(recording_count() - 1);
          const std::uint32_t shape[4] = {1, 2, 3, 4};
          if (std::memcmp(call.seen[0], shape, sizeof shape) != 0) {
            out += std::string(name) + ": another shape\n";
          }
        }
        attributes[9] = 10;  // CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
        if (driver.call("cuLaunchKernelEx", {at(&clustered), 0x1000}) != 801 ||
            !backend_log().empty()) {
          out += "an attribute that MUSA lacks arrived\n";
        }
        return out;
      }));
}

TEST(CudaLiteral, CopiesOfArraysAreRows) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              recording_look("muMemcpy2D_v2", 0, 0);
              std::string out;
              const auto first_words = [&](const char* name, const Words& words,
                                           const std::vector<std::uint64_t>& expected) {
                out += objection(driver, name, words, "muMemcpy2D_v2", {kOwn});
                const recording_call call = recording_get(recording_count() - 1);
                if (std::memcmp(call.seen[0], expected.data(), 16) != 0) {
                  out += std::string(name) + ": another source\n";
                }
              };
              // srcXInBytes and srcY.
              first_words("cuMemcpyAtoA_v2", {0x1000, 8, 0x2000, 24, 64}, {24, 0});
              first_words("cuMemcpyAtoD_v2", {0x1000, 0x2000, 24, 64}, {24, 0});
              first_words("cuMemcpyDtoA_v2", {0x1000, 24, 0x2000, 64}, {0, 0});
              for (const char* name :
                   {"cuMemcpyAtoA_v2_ptds", "cuMemcpyAtoD_v2_ptds", "cuMemcpyDtoA_v2_ptds"}) {
                out += objection(driver, name, {0x1000, 8, 0x2000, 24, 64}, "muStreamSynchronize",
                                 {2}, Status::kAsItIs);
              }
              return out;
            }));
}

TEST(CudaLiteral, StreamAttributesArriveInMusasStruct) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              recording_look("muStreamSetAttribute", 0, 2);
              const std::uint64_t window[8] = {0x4000, 1ULL << 33, 5, 6};
              std::string out;
              for (const char* name : {"cuStreamSetAttribute", "cuStreamSetAttribute_ptsz"}) {
                out += objection(driver, name, {0x9000, 1, at(window)}, "muStreamSetAttribute",
                                 {0x9000, 1, kOwn});
                const recording_call call = recording_get(recording_count() - 1);
                if (std::memcmp(call.seen[0], window, sizeof call.seen[0]) != 0) {
                  out += std::string(name) + ": another window\n";
                }
              }
              return out;
            }));
}

TEST(CudaLiteral, OldSizesAreWidened) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              return objection(driver, "cuMemAllocHost", {0x1000, 0xfffffff0ffffffff},
                               "muMemAllocHost_v2", {0x1000, 0xffffffff}, Status::kAsItIs);
            }));
}

// An image that is none of NVIDIA's.
constexpr const char* kImage = "an image of MUSA's";

TEST(CudaLiteral, LibrariesAreModules) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        std::string out;
        // CU_LIBRARY_BINARY_IS_PRESERVED
        const std::uint32_t preserved = 1;
        // None of them is a buffer of text, which the adapter looks into.
        const std::uint32_t jit_options[] = {0, 1, 7, 12};
        void* jit_values[4] = {};
        out += objection(
            driver, "cuLibraryLoadData",
            {0x1000, at(kImage), at(jit_options), at(jit_values), 4, at(&preserved), 0x5000, 1},
            "muModuleLoadDataEx", {kOwn, at(kImage), 4, at(jit_options), at(jit_values)});
        out += objection(driver, "cuLibraryLoadFromFile",
                         {0x1000, at("/nonexistent/image"), 0x2000, 0x3000, 4, 0, 0, 0},
                         "muModuleLoad", {kOwn});
        // CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE
        const std::uint32_t table = 0;
        for (const char* name : {"cuLibraryLoadData", "cuLibraryLoadFromFile"}) {
          if (driver.call(name, {0x1000, at(kImage), 0, 0, 0, at(&table), 0x5000, 1}) != 801 ||
              !work_log().empty()) {
            out += std::string(name) + " takes an option that MUSA lacks\n";
          }
          if (driver.call(name, {0x1000, at(kImage), 0, 0, 0, 0, 0, 1}) != 1) {
            out += std::string(name) + " takes options that are null\n";
          }
        }
        // Behind a library is a module. Its handle is no module's, and no other is a library.
        const std::uint64_t module = 0x7000;
        recording_answer("muModuleLoadDataEx", 0);
        recording_write("muModuleLoadDataEx", 0, &module, sizeof module);
        std::uint64_t library = 0;
        if (driver.call("cuLibraryLoadData", {at(&library), at(kImage), 0, 0, 0, 0, 0, 0}) != 0 ||
            library == 0 || library == module) {
          out += "no library\n";
        }
        out += objection(driver, "cuLibraryGetKernel", {0x1000, library, 0x3000},
                         "muModuleGetFunction", {kOwn, module, 0x3000});
        out += objection(driver, "cuLibraryGetGlobal", {0x1000, 0x2000, library, 0x4000},
                         "muModuleGetGlobal_v2", {kOwn, kOwn, module, 0x4000});
        std::uint64_t found = 0;
        if (driver.call("cuLibraryGetModule", {at(&found), library}) != 0 || found != module) {
          out += "cuLibraryGetModule: another handle\n";
        }
        for (const std::uint64_t wrong : {module, library + 8, std::uint64_t{0x1000}}) {
          const std::pair<const char*, Words> calls[] = {
              {"cuLibraryGetModule", {at(&found), wrong}},
              {"cuLibraryGetKernel", {0x1000, wrong, 0x3000}},
              {"cuLibraryGetGlobal", {0x1000, 0x2000, wrong, 0x4000}},
              {"cuLibraryUnload", {wrong}}};
          for (const auto& [name, words] : calls) {
            if (driver.call(name, words) != 400 || !work_log().empty()) {
              out += std::string(name) + " takes " + std::to_string(wrong) + "\n";
            }
          }
        }
        const std::pair<const char*, Words> of_modules[] = {
            {"cuModuleGetFunction", {0x1000, library, 0x3000}},
            {"cuModuleGetGlobal_v2", {0x1000, 0x2000, library, 0x4000}},
            {"cuModuleGetTexRef", {0x1000, library, 0x3000}},
            {"cuModuleGetSurfRef", {0x1000, library, 0x3000}},
            {"cuModuleUnload", {library}}};
        for (const auto& [name, words] : of_modules) {
          if (driver.call(name, words) != 400 || !work_log().empty()) {
            out += std::string(name) + " takes a library\n";
          }
        }
        out += objection(driver, "cuLibraryUnload", {library}, "muModuleUnload", {module});
        // A kernel is the function, if MUSA knows it.
        for (const char* name : {"cuKernelGetFunction", "cuKernelGetLibrary"}) {
          out += objection(driver, name, {at(&found), 0x2000}, "muFuncGetAttribute",
                           {kOwn, 0, 0x2000});
        }
        recording_answer("muFuncGetAttribute", 0);
        if (driver.call("cuKernelGetFunction", {at(&found), 0x2000}) != 0 || found != 0x2000) {
          out += "cuKernelGetFunction: another handle\n";
        }
        for (const char* name : {"cuLibraryGetModule", "cuKernelGetFunction"}) {
          if (driver.call(name, {at(&found), 0}) != 1) out += std::string(name) + ": null\n";
        }
        return out;
      }));
}

TEST(CudaLiteral, KernelsAreAskedAboutTheirDevice) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        const std::uint32_t device = 3;
        recording_answer("muCtxGetDevice", 0);
        recording_write("muCtxGetDevice", 0, &device, sizeof device);
        std::string out;
        const auto last = [&](const char* name, const Words& words, const char* musa,
                              const Words& expected) {
          driver.call(name, words);
          const CallLog log = work_log();
          if (log.size() != 2 || log[1].musa != musa) {
            out += std::string(name) + ": " + std::to_string(log.size()) + " calls\n";
            return;
          }
          for (std::size_t i = 0; i < expected.size(); ++i) {
            if ((received(log[1], i) & 0xffffffff) != expected[i]) {
              out += std::string(name) + ": argument " + std::to_string(i) + "\n";
            }
          }
        };
        last("cuKernelGetAttribute", {0x1000, 4, 0x2000, 3}, "muFuncGetAttribute",
             {0x1000, 4, 0x2000});
        last("cuKernelSetAttribute", {8, 4096, 0x2000, 3}, "muFuncSetAttribute", {0x2000, 8, 4096});
        last("cuKernelSetCacheConfig", {0x2000, 2, 3}, "muFuncSetCacheConfig", {0x2000, 2});
        const std::pair<const char*, Words> others[] = {
            {"cuKernelGetAttribute", {0x1000, 4, 0x2000, 1}},
            {"cuKernelSetAttribute", {8, 4096, 0x2000, 1}},
            {"cuKernelSetCacheConfig", {0x2000, 2, 1}}};
        for (const auto& [name, words] : others) {
          if (driver.call(name, words) != 801 || work_log().size() != 1) {
            out += std::string(name) + " serves another device\n";
          }
        }
        return out;
      }));
}

TEST(CudaLiteral, FunctionsAreLoadedWithTheirModule) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        std::string out;
        std::uint32_t state = 99;
        out += objection(driver, "cuFuncIsLoaded", {at(&state), 0x2000}, "muFuncGetAttribute",
                         {kOwn, 0, 0x2000});
        out += objection(driver, "cuFuncLoad", {0x2000}, "muFuncGetAttribute", {kOwn, 0, 0x2000});
        if (state != 99) out += "a state of a function that MUSA does not know\n";
        recording_answer("muFuncGetAttribute", 0);
        if (driver.call("cuFuncIsLoaded", {at(&state), 0x2000}) != 0 || state != 1) {
          out += "not loaded\n";
        }
        if (driver.call("cuFuncLoad", {0x2000}) != 0) out += "cuFuncLoad\n";
        return out;
      }));
}

// Errors of the runtime have other numbers below 100; above, both have the same.
TEST(CudaLiteral, StatusesOfTheRuntime) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              const int statuses[][2] = {
                  {0, 0},     {1, 1},     {2, 2},     {9, 1},     {12, 1},    {13, 500},
                  {17, 1},    {21, 1},    {31, 801},  {35, 803},  {49, 201},  {53, 719},
                  {69, 701},  {98, 400},  {100, 100}, {201, 201}, {400, 400}, {600, 600},
                  {700, 700}, {801, 801}, {900, 900}, {43, 999},  {127, 999}, {12345, 999}};
              std::string out;
              for (const auto& [runtime, expected] : statuses) {
                recording_answer("musaUserObjectRetain", runtime);
                const int status = driver.call("cuUserObjectRetain", {0x1000, 1});
                if (status == expected) continue;
                out += std::to_string(runtime) + " became " + std::to_string(status) + "\n";
              }
              return out;
            }));
}

// The error is cleared if it is the only one, and left if there was one before the call.
TEST(CudaLiteral, TheRuntimesLastErrorStaysAsItWas) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto clears = [&](int pending, int error) {
                recording_answer("musaPeekAtLastError", pending);
                recording_answer("musaUserObjectRetain", error);
                driver.call("cuUserObjectRetain", {0x1000, 1});
                const CallLog log = backend_log();
                return !log.empty() && log.back().musa == "musaGetLastError";
              };
              if (!clears(0, 1)) out += "the driver's error stays\n";
              if (clears(2, 1)) out += "an older error is lost\n";
              if (clears(0, 0)) out += "asked without need\n";
              return out;
            }));
}

TEST(CudaLiteral, BeforeInitialisationTheRuntimeIsNotCalled) {
  EXPECT_EQ("", in_child([] {
              const Library driver(kFile, MUSA_ROOT);
              recording_answer("muCtxGetCurrent", 3);
              std::string out;
              for (const char* name : {"cuUserObjectRetain", "cuStreamIsCapturing",
                                       "cuMemAllocAsync", "cuMemFreeAsync", "cuProfilerStart"}) {
                if (driver.call(name, {0x1000, 1, 0x9000}) != 3 || !work_log().empty()) {
                  out += std::string(name) + "\n";
                }
              }
              // There is no default stream without a context.
              recording_answer("muCtxGetCurrent", 0);
              if (driver.call("cuStreamIsCapturing", {0, 0x1000}) != 201 || !work_log().empty()) {
                out += "a default stream without a context\n";
              }
              return out;
            }));
}

}  // namespace
}  // namespace recording::driver

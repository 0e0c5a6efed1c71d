// Tables for slot.S, with every function direct.
#include <stddef.h>

#include "stubs/table.h"

namespace torchada {
namespace {

// One blob of names with offsets into it, as in the emitted tables.
struct Strings {
  char empty[1];
#define BENCH_FUNCTION(index, target)        \
  char name_##index[sizeof "slot_" #target]; \
  char target_##index[sizeof #target];
#include "functions.inc"
#undef BENCH_FUNCTION
};

constexpr Strings kStrings = {
    "",
#define BENCH_FUNCTION(index, target) "slot_" #target, #target,
#include "functions.inc"
#undef BENCH_FUNCTION
};

constexpr Symbol kSymbols[] = {
#define BENCH_FUNCTION(index, target) \
  {offsetof(Strings, name_##index),   \
   0,                                 \
   index,                             \
   0,                                 \
   1,                                 \
   Decision::kDirect,                 \
   Returns::kStatus,                  \
   kRuntimeLibrary,                   \
   0},
#include "functions.inc"
#undef BENCH_FUNCTION
};

constexpr Target kTargets[] = {
#define BENCH_FUNCTION(index, target) {offsetof(Strings, target_##index), 0, kNoSdkEnd},
#include "functions.inc"
#undef BENCH_FUNCTION
};

constexpr uint32_t kCount = sizeof kSymbols / sizeof *kSymbols;

const char* const kRootVariables[] = {"TORCHADA_MUSA_PATH", nullptr};
const char* const kDefaultRoots[] = {nullptr};
const char* const kSubfolders[] = {"lib", nullptr};
const Soname kSonames[] = {{"libmusart.so.5", 0, kNoSdkEnd}, {nullptr, 0, 0}};
void* const kAdapters[] = {nullptr};
const Variable kVariables[] = {{nullptr, nullptr}};
const VariablePrefix kPrefixes[] = {{nullptr, nullptr, nullptr}};

}  // namespace

extern "C" {
uint8_t torchada_reported[kCount];
void* torchada_callees[1];  // No target has an adapter.
const Library torchada_library = {
    .soname = "libslot.so.1",
    .strings = kStrings.empty,
    .symbols = kSymbols,
    .targets = kTargets,
    .adapters = kAdapters,
    .symbol_count = kCount,
    .abi = 13,
    .status = {{801, "unsupported"},
               {35, "no backend"},
               {209, "no image"},
               {4, "unloading"},
               {3, "forked"}},
};
const BackendTable torchada_backend_table = {
    kRootVariables,
    kDefaultRoots,
    kSubfolders,
    {"libmusart", "libmusart", "libmusart", "libmusart", "libmusart"},
    {kSonames, kSonames, kSonames, kSonames, kSonames},
    {Home::kSdk, Home::kSdk, Home::kSdk, Home::kSdk, Home::kSdk},
    {},
    kVariables,
    kPrefixes,
    {}};
}

int32_t torchada_sdk_of_runtime_version(int32_t version) { return version; }

}  // namespace torchada

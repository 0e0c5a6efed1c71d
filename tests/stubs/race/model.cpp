#include "tests/stubs/race/model.h"

#include <cstdint>

#include "stubs/resolving/observed.h"
#include "stubs/table.h"

extern "C" void* torchada_resolve(uint32_t index);
extern "C" void torchada_return_zero() {}

namespace torchada {
namespace {

constexpr uint32_t kCell = 16;
constexpr int kPerLibrary = kFunctions / 2;

struct Tables {
  char strings[(2 * kFunctions + 1) * kCell];
  Symbol symbols[kFunctions];
  Target targets[kFunctions];
};

constexpr void put(char* to, const char* prefix, int number) {
  while (*prefix) *to++ = *prefix++;
  *to++ = static_cast<char>('0' + number / 10);
  *to = static_cast<char>('0' + number % 10);
}

constexpr Tables make_tables() {
  Tables t{};
  for (int i = 0; i < kFunctions; ++i) {
    const uint32_t name = static_cast<uint32_t>(2 * i + 1) * kCell;
    put(t.strings + name, "front_", i);
    put(t.strings + name + kCell, "back_", i);
    t.symbols[i].name = name;
    t.symbols[i].first_target = static_cast<uint16_t>(i);
    t.symbols[i].target_count = 1;
    t.symbols[i].backend = i < kPerLibrary ? kRuntimeLibrary : BackendLibrary::kMublas;
    t.targets[i] = {name + kCell, 0, kNoSdkEnd};
  }
  return t;
}

constexpr Tables kTables = make_tables();

const char* const kRootVariables[] = {"TORCHADA_PROBE_ROOT", nullptr};
const char* const kNothing[] = {nullptr};
const char* const kSubfolders[] = {"lib", nullptr};
const Variable kVariables[] = {{"RACE_DEVICES", "RACE_BACK_DEVICES"}, {nullptr, nullptr}};
const VariablePrefix kPrefixes[] = {{"RACE_NET_", "RACE_BACK_NET_", kNothing},
                                    {nullptr, nullptr, nullptr}};
const Soname kRuntime[] = {{"libracert.so", 0, kNoSdkEnd}, {nullptr, 0, 0}};
const Soname kSibling[] = {{"libraceblas.so", 0, kNoSdkEnd}, {nullptr, 0, 0}};

}  // namespace

extern "C" {
// Addresses that stand for the cold path, which no call here enters.
char torchada_cold_entries[kFunctions * kCell];
uint8_t torchada_reported[kFunctions];
void* torchada_slots[kFunctions];
void* torchada_callees[1];  // No target has an adapter.
const Library torchada_library = {
    .soname = "librace.so.1",
    .strings = kTables.strings,
    .symbols = kTables.symbols,
    .targets = kTables.targets,
    .symbol_count = kFunctions,
    .abi = 1,
    .status = {{801, "unsupported"},
               {35, "no driver"},
               {209, "no image"},
               {4, "unloading"},
               {3, "forked"}},
};
const BackendTable torchada_backend_table = {
    kRootVariables,
    kNothing,
    kSubfolders,
    {"libracert", "libracert", "libraceblas", "libraceblas", "libraceblas"},
    {kRuntime, kRuntime, kSibling, kSibling, kSibling},
    {Home::kSdk, Home::kSdk, Home::kSdk, Home::kSdk, Home::kSdk},
    {},
    kVariables,
    kPrefixes,
    {}};
}

int32_t torchada_sdk_of_runtime_version(int32_t version) { return version; }

}  // namespace torchada

int call_through_slot(int index, int x) {
  // The trampoline's load; on x86-64 every load is an acquire. A null slot stands for one that
  // still leads to the cold path.
  void* target = __atomic_load_n(&torchada::torchada_slots[index], __ATOMIC_ACQUIRE);
  if (!target || target == torchada::cold_entry_of(static_cast<uint32_t>(index))) {
    target = torchada_resolve(static_cast<uint32_t>(index));
  }
  return reinterpret_cast<int (*)(int)>(target)(x);
}

void observe_calls(bool on) { torchada::observe_here(on); }

// Written by hand in the form that torchada-gen emits.
#include "tests/stubs/probe_tables.h"

#include <initializer_list>

#include "stubs/table.h"

extern "C" TORCHADA_HIDDEN int back_add(int a, int b);

// An adapter as written by hand: it calls the backend through a hidden trampoline.
extern "C" TORCHADA_HIDDEN int torchada_adapter_probe_adapted(int a) {
  return 1000 + back_add(a, 1);
}

// Stands in for a function that the backend lacks.
extern "C" TORCHADA_HIDDEN int torchada_adapter_probe_lent(int a) { return 2000 + back_add(a, 2); }

namespace torchada {
namespace {

// Fixed-width cells, so that an offset is an index times a constant.
constexpr uint32_t kCell = 32;
struct Strings {
  char cell[160][kCell];
};

constexpr const char* kNames[] = {
    "variadic",     "ten_integers",   "nine_doubles",  "bytes_by_value", "long_double",
    "returns_pair", "returns_memory", "throws",        "errno",          "add",
    "absent",       "refused",        "refused_float", "refused_string", "adapted",
    "called_back",  "two_spellings",  "register_al",   "register_r10",   "ymm",
    "zmm",          "weak",           "lent",          "old_only",       "sibling",
    "driver"};
constexpr int kNamed = sizeof kNames / sizeof *kNames;
constexpr int kInternal = kNamed, kMany = kNamed + 1, kManyCount = 32;
constexpr int kCount = kMany + kManyCount;
constexpr uint32_t kBackOffset = 64;  // Index of the first cell with a backend name.
constexpr uint32_t kReasonCell = 155, kFirstSpelling = 156, kSecondSpelling = 157;

constexpr void put(Strings* s, uint32_t cell, const char* prefix, const char* name, int number) {
  uint32_t n = 0;
  for (; *prefix; ++prefix) s->cell[cell][n++] = *prefix;
  for (; *name; ++name) s->cell[cell][n++] = *name;
  if (number >= 10) s->cell[cell][n++] = static_cast<char>('0' + number / 10);
  if (number >= 0) s->cell[cell][n++] = static_cast<char>('0' + number % 10);
}

constexpr Strings make_strings() {
  Strings s{};
  for (int i = 0; i < kNamed; ++i) {
    put(&s, static_cast<uint32_t>(i + 1), "probe_", kNames[i], -1);
    put(&s, kBackOffset + static_cast<uint32_t>(i + 1), "back_", kNames[i], -1);
  }
  put(&s, kInternal + 1, "back_", "add", -1);
  put(&s, kBackOffset + kInternal + 1, "back_", "add", -1);
  for (int i = 0; i < kManyCount; ++i) {
    put(&s, static_cast<uint32_t>(kMany + i + 1), "probe_many_", "", i);
    put(&s, kBackOffset + static_cast<uint32_t>(kMany + i + 1), "back_many_", "", i);
  }
  put(&s, kReasonCell, "the table ", "says so", -1);
  put(&s, kFirstSpelling, "back_", "first_spelling", -1);
  put(&s, kSecondSpelling, "back_", "second_spelling", -1);
  return s;
}

constexpr Strings kStrings = make_strings();

struct Symbols {
  Symbol symbol[kCount];
  Target target[kCount + 1];
};

constexpr int index_of(const char* name) {
  for (int i = 0; i < kNamed; ++i) {
    const char *a = kNames[i], *b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return i;
  }
  return -1;
}

constexpr Symbols make_symbols() {
  Symbols s{};
  for (int i = 0; i < kCount; ++i) {
    Symbol& symbol = s.symbol[i];
    symbol.name = static_cast<uint32_t>(i + 1) * kCell;
    symbol.first_target = static_cast<uint16_t>(i);
    symbol.target_count = 1;
    symbol.decision = Decision::kDirect;
    s.target[i] = {(kBackOffset + static_cast<uint32_t>(i + 1)) * kCell, 0, kNoSdkEnd};
  }
  for (const char* name : {"refused", "refused_float", "refused_string"}) {
    s.symbol[index_of(name)].decision = Decision::kUnsupported;
    s.symbol[index_of(name)].reason = kReasonCell * kCell;
  }
  s.symbol[index_of("refused_float")].returns = Returns::kZero;
  s.symbol[index_of("refused_string")].returns = Returns::kString;
  s.symbol[index_of("adapted")].decision = Decision::kAdapter;
  s.symbol[index_of("adapted")].adapter = 1;
  s.symbol[index_of("sibling")].backend = BackendLibrary::kMublas;
  s.symbol[index_of("driver")].backend = BackendLibrary::kMurand;
  s.target[index_of("old_only")].sdk_to = 50000;
  s.symbol[kInternal].decision = Decision::kInternal;
  // The backend has only the second of these.
  for (const int either : {index_of("lent"), kMany}) {
    s.symbol[either].decision = Decision::kDirectOrAdapter;
    s.symbol[either].adapter = 2;
  }
  // Two candidates need neighbouring targets: the last index and the spare one.
  Symbol& two = s.symbol[index_of("two_spellings")];
  two.first_target = static_cast<uint16_t>(kCount - 1);
  two.target_count = 2;
  s.target[kCount - 1] = {kFirstSpelling * kCell, 0, kNoSdkEnd};
  s.target[kCount] = {kSecondSpelling * kCell, 0, kNoSdkEnd};
  // The symbol that had that target gets the slot that is free now.
  s.symbol[kCount - 1].first_target = static_cast<uint16_t>(index_of("two_spellings"));
  s.target[index_of("two_spellings")] = {(kBackOffset + static_cast<uint32_t>(kCount)) * kCell, 0,
                                         kNoSdkEnd};
  return s;
}

constexpr Symbols kSymbols = make_symbols();

const OwnStatus kOwnStatus[] = {{0, nullptr}};
void* const kAdapters[] = {nullptr, reinterpret_cast<void*>(torchada_adapter_probe_adapted),
                           reinterpret_cast<void*>(torchada_adapter_probe_lent)};

const char* const kRootVariables[] = {"TORCHADA_PROBE_ROOT", nullptr};
const char* const kDefaultRoots[] = {nullptr};
const char* const kSubfolders[] = {"lib", "other/lib", nullptr};
const Variable kVariables[] = {{"PROBE_DEVICES", "BACK_DEVICES"}, {nullptr, nullptr}};
const char* const kExcept[] = {"PROBE_NET_PROTO", nullptr};
const VariablePrefix kPrefixes[] = {{"PROBE_NET_", "BACK_NET_", kExcept},
                                    {nullptr, nullptr, nullptr}};
const Soname kSonames[] = {
    {"libback.so.2", 0, kNoSdkEnd}, {"libback.so.1", 0, kNoSdkEnd}, {nullptr, 0, 0}};
const Soname kDriver[] = {{"libbackdriver.so.1", 0, kNoSdkEnd}, {nullptr, 0, 0}};
const Soname kSibling[] = {{"libbackblas.so.1", 0, kNoSdkEnd}, {nullptr, 0, 0}};

}  // namespace

extern "C" {
uint8_t torchada_reported[kCount];
void* torchada_callees[1];  // No target has an adapter.
const Library torchada_library = {
    .soname = "libprobe.so.1",
    .strings = kStrings.cell[0],
    .symbols = kSymbols.symbol,
    .targets = kSymbols.target,
    .adapters = kAdapters,
    .own_status = kOwnStatus,
    .symbol_count = kCount,
    .abi = 1,
    .status = {{kProbeUnsupported, "probeErrorNotSupported"},
               {kProbeNoBackend, "probeErrorNoDriver"},
               {kProbeUnsupported, "probeErrorNoImage"},
               {kProbeUnloading, "probeErrorUnloading"},
               {kProbeForked, "probeErrorForked"}},
    .records_errors = true,
};
const BackendTable torchada_backend_table = {
    kRootVariables,
    kDefaultRoots,
    kSubfolders,
    {"libback", "libback", "libbackblas", "libback", "libbackdriver"},
    {kSonames, kSonames, kSibling, kSonames, kDriver},
    {Home::kSdk, Home::kSdk, Home::kSdk, Home::kSdk, Home::kDriver},
    {{kProbeUnsupported, kProbeNoBackend, kProbeUnsupported, kProbeUnloading, kProbeForked}},
    kVariables,
    kPrefixes,
    {}};
}

int32_t torchada_sdk_of_runtime_version(int32_t version) { return version; }

extern "C" __attribute__((visibility("default"))) void* probe_slot_of_old_only() {
  return __atomic_load_n(&torchada_slots[index_of("old_only")], __ATOMIC_ACQUIRE);
}

}  // namespace torchada

#if defined(__x86_64__)
extern "C" TORCHADA_HIDDEN uint32_t torchada_vector_width;
extern "C" __attribute__((visibility("default"))) void probe_set_vector_width(uint32_t bytes) {
  torchada_vector_width = bytes;
}
#endif

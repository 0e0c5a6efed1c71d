// The tables that torchada-gen emits for one library, read by its hand-written part.
//
// Names are offsets into one string blob, and adapters live in a table of their own. A pointer per
// symbol would cost the loader a relocation per symbol, and users pay for load time in every run.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "src/shared/backend_table.h"

namespace torchada {

enum class Decision : uint8_t {
  kDirect,           // The slot gets the address of `targets` in the backend.
  kAdapter,          // The slot gets `adapters[adapter]`, a function of this library.
  kUnsupported,      // The slot gets a typed fallback; `reason` says why.
  kNoImage,          // Like kUnsupported, for functions that need device code: another status.
  kInternal,         // Like kDirect, for calls by adapters; failures are silent and not recorded.
  kDirectOrAdapter,  // Like kDirect, or like kAdapter if the backend lacks the targets.
};

// A MUSA function without which an adapter cannot work.
struct Need {
  uint16_t adapter;  // Index in `adapters`.
  uint16_t symbol;   // Index in `symbols`, of a kInternal one.
};

// What a function returns, so that a missing one can return something its caller understands.
enum class Returns : uint8_t { kStatus, kVoid, kString, kZero };

// One spelling of a MUSA function and the SDKs that have it.
struct Target {
  uint32_t name;  // Offset of the exported name in `strings`.
  int32_t sdk_from;
  int32_t sdk_to;        // Exclusive.
  uint16_t adapter = 0;  // Index in `adapters` of the one that calls it; 0 for a bare jump.
  // Whether it leaves the process as it was, such as a question for a version. What a call of any
  // other initialises is lost to a child of fork().
  bool only_tells = false;
  uint32_t hash = 0;  // symbol_hash of the name; 0 to have it computed at the call.
};

struct Symbol {
  uint32_t name;    // Offset of the CUDA name (the MUSA name for kInternal).
  uint32_t reason;  // Offset of the reason, 0 if none.
  uint16_t first_target;
  uint16_t adapter;  // Index in `adapters`; 0 for none.
  uint8_t target_count;
  Decision decision;
  Returns returns;
  BackendLibrary backend;
  // Indices into `own_status` of the library, 0 for its usual answers: without a driver, and if
  // MUSA has no counterpart.
  uint8_t no_backend;
  uint8_t unsupported = 0;
  // Index in `adapters` of the guard in front of the slot's target (see stubs/cudart/guard.h); 0
  // for none.
  uint16_t guard = 0;
};

// Whether the slot leads into MUSA if MUSA has the function.
inline bool leads_to_musa(const Symbol& symbol) {
  return symbol.decision == Decision::kDirect || symbol.decision == Decision::kInternal ||
         symbol.decision == Decision::kDirectOrAdapter;
}

// What one function answers, if that differs from the library's usual answer. The real library
// answers the same.
struct OwnStatus {
  int32_t status;
  void* function;  // Returns `status`.
};

struct Status {
  int32_t value;
  const char* name;
};

// Names for the line about an argument that an adapter refuses; see stubs/reporting/refusal.h.
// `name`, `reason` and `musa` are offsets in `strings`.
struct NamedValue {
  int32_t value;
  uint32_t name;
  uint32_t reason;  // Why MUSA lacks it; 0 if it may have it.
};

// An enumeration of CUDA's. Those of index 0 are statuses that the library itself returns.
struct NamedEnumeration {
  uint32_t name;
  uint32_t musa;
  uint32_t first;  // Of its values.
  uint32_t count;
};

// A parameter for which an adapter refuses some values.
struct RefusableArgument {
  uint32_t name;
  uint16_t symbol;
  uint16_t enumeration;  // 0 for an integer.
  uint8_t number;        // Of the parameter, from 0.
};

// Everything about the library this is linked into. Emitted once per library.
struct Library {
  const char* soname = nullptr;
  const char* strings = nullptr;
  const Symbol* symbols = nullptr;
  const Target* targets = nullptr;
  void* const* adapters = nullptr;  // The first is null, so that index 0 means none.
  const OwnStatus* own_status = nullptr;
  const NamedValue* values = nullptr;
  const NamedEnumeration* enumerations = nullptr;
  const RefusableArgument* refusable = nullptr;
  uint32_t symbol_count = 0;
  uint32_t enumeration_count = 0;
  uint32_t refusable_count = 0;
  int32_t abi = 0;                                            // CUDA major.
  Status status[static_cast<int>(FailureKind::kCount)] = {};  // What it returns for each failure.
  int32_t refused = 0;  // What adapters return for an enumerator that MUSA lacks.
  BackendLibrary backend = kRuntimeLibrary;  // The library that most targets live in.
  bool records_errors = false;  // Failures of the replacement library show in cudaGetLastError.
  const Need* needs = nullptr;
  uint32_t need_count = 0;
  // Tells about devices and does no work on them. Programs ask it for more than a device has and go
  // on, so refusals are lines of TORCHADA_LOG=info.
  bool tells_only = false;
};

extern "C" {
extern TORCHADA_HIDDEN const Library torchada_library;
// What an adapter or a guard calls, by its index in `adapters`.
extern TORCHADA_HIDDEN void* torchada_callees[];
extern TORCHADA_HIDDEN void* torchada_slots[];  // One per symbol; never null.
// The exported functions, 16 bytes apart, in the order of `symbols`.
extern TORCHADA_HIDDEN char torchada_trampolines[];
// What the slots hold at first, 16 bytes apart, in the order of `symbols`.
extern TORCHADA_HIDDEN char torchada_cold_entries[];
// One per symbol: whether its line was printed.
extern TORCHADA_HIDDEN uint8_t torchada_reported[];
}

// What the dynamic loader finds under the name of an exported symbol. No table holds these
// addresses: each would cost the loader a relocation.
inline void* trampoline_of(uint32_t symbol) { return &torchada_trampolines[size_t{16} * symbol]; }

// What makes the next call of the symbol ask the resolver again.
inline void* cold_entry_of(uint32_t symbol) { return &torchada_cold_entries[size_t{16} * symbol]; }

}  // namespace torchada

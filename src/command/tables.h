// share/tables.json in memory: torchada-gen's facts about exports, MUSA functions and enumerators.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/shared/sdk.h"

namespace torchada::tables {

// A range of SDK versions, major*10000 + minor*100 + patch. `to` is exclusive.
struct SdkRange {
  int from = 0;
  int to = kNoSdkEnd;
  bool contains(int version) const { return version >= from && version < to; }
};
std::string written(const SdkRange& range);  // "5.0 and later", "before 4.2", both, or "".
std::string written_sdk(int version);        // "5.1.0"

struct MusaPrototype {
  std::string text;
  SdkRange sdk;
  std::string tier;
  std::string source;
};

struct MusaSymbol {
  std::string name;
  std::string link;  // The exported name.
  SdkRange sdk;
  std::string tier;
  std::vector<std::string> sources;
  std::string note;
  std::vector<MusaPrototype> prototypes;
};

struct MusaLibrary {
  std::string name;  // "musart"
  std::map<std::string, MusaSymbol> symbols;
};

struct Symbol {
  std::string name;
  std::string standing;       // supported, assumed, emulated, unsupported
  std::string decision;       // direct, adapted, ...
  std::string as;             // The name under which it is decided, if different.
  std::string target;         // Name in MUSA. Empty if it has none.
  std::vector<SdkRange> sdk;  // The SDKs in which the target can be reached.
  int rank = 0;               // Among the functions that programs use, from 1; 0 if none does.
  std::string why;            // Why it is only assumed: the fact that is missing, in words,
  std::string missing;        // by name (empty if the tables list no such fact),
  std::string probe;          // and the probe of verify that decides it,
  std::string no_probe;       // or why none does.
  std::string reason;
  std::string delegated_to;                  // Another export that does the work.
  std::vector<std::string> calls;            // MUSA functions that an emulated function calls,
  std::vector<std::string> optional_calls;   // and those of them that it can do without.
  std::string besides;                       // Other behaviour to expect. May be empty.
  bool has_other_way = false;                // For an SDK without the target,
  std::vector<std::string> otherwise_calls;  // what it calls then, and can do without.
  std::vector<std::string> optional_otherwise_calls;
  std::string prototype;
  std::string header;

  // What would settle why it is only assumed: a probe, or why there is none. Empty otherwise.
  std::string settled_by() const;
};

struct Library {
  std::string name;      // "cudart"
  std::set<int> majors;  // The CUDA majors that have this SONAME.
  std::string soname;
  std::string offered;  // by default, by run, on request
  std::string folder;   // Below lib/. Empty for lib/ itself.
  std::vector<std::string> releases;
  std::string backend;  // "musart"
  std::string status, musa_status;
  std::vector<Symbol> symbols;  // Sorted by name.

  std::string file() const;  // "lib/libcudart.so.12"
  std::string path_in(const std::string& root) const { return root + "/" + file(); }
  bool by_run() const { return offered == "by run"; }
  bool on_request() const { return offered == "on request"; }
  // Who finds it, for people. Empty if every program does.
  std::string who_finds_it() const;
};

struct EnumValue {
  std::string name;
  std::int64_t value = 0;
  std::set<int> abis;
  std::string musa;     // The corresponding MUSA name, whether or not MUSA has it.
  std::string text;     // What the real library returns as the text of a status.
  std::string refused;  // Why functions that take it refuse it. Empty if none does.
};

struct Enumeration {
  std::string name, library;
  std::string musa;  // MUSA's type.
  bool is_status = false;
  std::vector<EnumValue> values;
};

struct MusaEnumValue {
  std::string name;
  std::optional<std::int64_t> value;
  std::string tier;
  std::string becomes;  // The CUDA status, if its name differs.
};

struct MusaEnumeration {
  std::string name, library;
  bool is_status = false;
  SdkRange sdk;
  std::string tier;
  std::vector<std::string> sources;
  std::vector<MusaEnumValue> values;
};

struct Field {
  std::string name;
  std::string type;
  std::int64_t offset = 0;  // Bytes.
};

// The layout of a type that is not an enumeration.
struct Layout {
  std::string kind;        // scalar, handle, callback, struct, union; enum if no value is known.
  std::string underlying;  // The C type of a scalar or handle, or the prototype of a callback.
  std::int64_t size = 0, align = 0;  // Bytes of a struct or union. 0 if unknown.
  std::vector<Field> fields;
};

struct CudaLayout {
  std::vector<std::string> releases;
  Layout layout;
};

struct CudaType {
  std::string name, library;
  std::string musa;                  // MUSA's type.
  std::vector<CudaLayout> variants;  // Disjoint releases, oldest first.
};

struct MusaLayout {
  std::string name, library;
  SdkRange sdk;
  std::string tier;
  std::vector<std::string> sources;
  std::string note;
  Layout layout;
};

struct Tables {
  std::vector<Library> libraries;
  std::vector<MusaLibrary> musa;
  std::vector<Enumeration> types;
  std::vector<MusaEnumeration> musa_types;
  std::vector<CudaType> layouts;
  std::vector<MusaLayout> musa_layouts;

  const MusaSymbol* musa_symbol(const std::string& library, const std::string& name) const;
};

// Reads the file below the installation's root. Throws Failure with the file's path if it is
// missing or damaged.
Tables read(const std::string& root);

// The same for a text. `path` is only for the message.
Tables parse(std::string_view text, const std::string& path);

}  // namespace torchada::tables

// What torchada-gen tells the command: every export, every MUSA function and type, every fact. The
// generator packs these records into share/tables.bin, the command maps the file and reads them
// where they lie. A changed record needs no other number raised: see kSchema in records.cpp.
#pragma once

#include <string>
#include <string_view>

#include "src/shared/mapped_records.h"
#include "src/shared/sdk.h"
#include "src/shared/standing.h"

namespace torchada::tables {

// A range of SDK versions, major*10000 + minor*100 + patch. `to` is exclusive.
struct SdkRange {
  int from = 0;
  int to = kNoSdkEnd;
  bool contains(int version) const { return version >= from && version < to; }
  friend bool operator==(const SdkRange&, const SdkRange&) = default;
  TORCHADA_FIELDS(from, to)
};

struct MusaPrototype {
  Text prototype;
  SdkRange sdk;
  Text tier;
  Text source;
  TORCHADA_FIELDS(prototype, sdk, tier, source)
};

struct MusaSymbol {
  Text name;
  Text link;  // The exported name.
  SdkRange sdk;
  Text tier;
  List<Text> sources;
  Text note;
  List<MusaPrototype> prototypes;
  TORCHADA_FIELDS(name, link, sdk, tier, sources, note, prototypes)
};

struct MusaLibrary {
  Text name;                 // "musart"
  List<MusaSymbol> symbols;  // Sorted by name.
  TORCHADA_FIELDS(name, symbols)
};

struct Symbol {
  Text name;
  Text decision;       // direct, adapted, ...
  Text as;             // The name under which it is decided, if different.
  Text target;         // Name in MUSA. Empty if it has none.
  List<SdkRange> sdk;  // The SDKs in which the target can be reached.
  Text why;            // Why it is only assumed: the fact that is missing, in words,
  Text missing;        // by name (empty if the tables list no such fact),
  Text probe;          // and the probe of verify that decides it,
  Text no_probe;       // or why none does.
  Text reason;
  Text delegated_to;                    // Another export that does the work.
  List<Text> calls;                     // MUSA functions that an emulated function calls,
  List<Text> optional_calls;            // and those of them that it can do without.
  Text besides;                         // Other behaviour to expect. May be empty.
  List<Text> otherwise_calls;           // What it calls for an SDK without the target,
  List<Text> optional_otherwise_calls;  // and can do without.
  Text prototype;
  Text header;
  int rank = 0;  // Among the functions that programs use, from 1; 0 if none does.
  Standing standing = Standing::kUnsupported;
  bool has_other_way = false;     // For an SDK without the target.
  bool brings_code = false;       // Brings device code of NVIDIA's into a program.
  bool kernel_libraries = false;  // Served by a kernel library, if there is one for the program.
  TORCHADA_FIELDS(name, decision, as, target, sdk, why, missing, probe, no_probe, reason,
                  delegated_to, calls, optional_calls, besides, otherwise_calls,
                  optional_otherwise_calls, prototype, header, rank, standing, has_other_way,
                  brings_code, kernel_libraries)

  // What would settle why it is only assumed: a probe, or why there is none. Empty otherwise.
  std::string settled_by() const;
  // The reason of the decision, or why it is only assumed.
  const Text& because() const { return reason.empty() ? why : reason; }
};

struct Library {
  Text name;         // "cudart"
  List<int> majors;  // The CUDA majors that have this SONAME.
  Text soname;
  Text offered;  // by default, by run, on request
  Text folder;   // Below lib/. Empty for lib/ itself.
  List<Text> releases;
  Text backend;  // "musart"
  Text status;
  Text musa_status;
  List<Symbol> symbols;  // Sorted by name.
  TORCHADA_FIELDS(name, majors, soname, offered, folder, releases, backend, status, musa_status,
                  symbols)

  std::string file() const;  // "lib/libcudart.so.12"
  std::string path_in(const std::string& root) const { return root + "/" + file(); }
  bool by_run() const { return offered == "by run"; }
  bool on_request() const { return offered == "on request"; }
  // Who finds it, for people. Empty if every program does.
  std::string who_finds_it() const;
};

struct EnumValue {
  Text name;
  std::int64_t value = 0;
  List<int> abis;
  Text musa;     // The corresponding MUSA name, whether or not MUSA has it.
  Text text;     // What the real library returns as the text of a status.
  Text refused;  // Why functions that take it refuse it. Empty if none does.
  TORCHADA_FIELDS(name, value, abis, musa, text, refused)
};

struct Enumeration {
  Text name;
  Text library;
  Text musa;  // MUSA's type.
  List<EnumValue> values;
  bool is_status = false;
  TORCHADA_FIELDS(name, library, musa, values, is_status)
};

struct MusaEnumValue {
  Text name;
  Number value;
  Text tier;
  Text becomes;  // The CUDA status, if its name differs.
  TORCHADA_FIELDS(name, value, tier, becomes)
};

struct MusaEnumeration {
  Text name;
  Text library;
  SdkRange sdk;
  Text tier;
  List<Text> sources;
  List<MusaEnumValue> values;
  bool is_status = false;
  TORCHADA_FIELDS(name, library, sdk, tier, sources, values, is_status)
};

struct Field {
  Text name;
  Text type;
  std::int64_t offset = 0;  // Bytes.
  TORCHADA_FIELDS(name, type, offset)
};

// The layout of a type that is not an enumeration.
struct Layout {
  Text kind;              // scalar, handle, callback, struct, union; enum if no value is known.
  Text underlying;        // The C type of a scalar or handle, or the prototype of a callback.
  std::int64_t size = 0;  // Bytes of a struct or union. 0 if unknown.
  std::int64_t align = 0;
  List<Field> fields;
  TORCHADA_FIELDS(kind, underlying, size, align, fields)
};

struct CudaLayout {
  List<Text> releases;
  Layout layout;
  TORCHADA_FIELDS(releases, layout)
};

struct CudaType {
  Text name;
  Text library;
  Text musa;                  // MUSA's type.
  List<CudaLayout> variants;  // Disjoint releases, oldest first.
  TORCHADA_FIELDS(name, library, musa, variants)
};

struct MusaLayout {
  Text name;
  Text library;
  SdkRange sdk;
  Text tier;
  List<Text> sources;
  Text note;
  Layout layout;
  TORCHADA_FIELDS(name, library, sdk, tier, sources, note, layout)
};

struct Parameter {
  Text type;  // "const void *"
  Text name;  // "devPtr"
  TORCHADA_FIELDS(type, name)
};

// A fact about MUSA, as generator/tables/fact_list.h describes it.
struct Fact {
  Text id;
  Text kind;
  Text library;
  Text name;
  Text claim;
  SdkRange sdk;
  Text tier;
  List<Text> sources;
  Text place;
  Text link;                   // Symbols: the exported name.
  Text returns;                // Prototypes.
  List<Parameter> parameters;  // Prototypes.
  Text type;                   // Enumerators, structs, members, other types.
  Number value;                // Enumerators and constants.
  Number size;                 // Structs, bytes.
  std::int64_t align = 0;      // Structs, bytes.
  std::int64_t offset = 0;     // Members, bytes.
  Text field_type;             // Members: "int[3]"
  Text underlying;             // For integers with their own type name.
  Text otherwise;              // Quirks: what was seen of a MUSA that behaves differently.
  bool on_stand_in = false;    // Quirks: the stand-in behaves so too.
  TORCHADA_FIELDS(id, kind, library, name, claim, sdk, tier, sources, place, link, returns,
                  parameters, type, value, size, align, offset, field_type, underlying, otherwise,
                  on_stand_in)

  bool is_evident() const;  // Tier doc or better, which counts as supported.
};

// How many programs rest on what a probe decides, as generator/decide/fact_use.h says.
struct ProbeUse {
  Text probe;
  int filled = 0;    // On the sizes of structs that MUSA fills.
  int programs = 0;  // On anything.
  TORCHADA_FIELDS(probe, filled, programs)
};

struct TypeKind {
  Text name;
  Text kind;  // enum, handle, scalar, struct, callback
  TORCHADA_FIELDS(name, kind)
};

struct Tables {
  List<Library> libraries;
  List<MusaLibrary> musa;
  List<Enumeration> types;
  List<MusaEnumeration> musa_types;
  List<CudaType> layouts;
  List<MusaLayout> musa_layouts;
  List<Fact> facts;
  List<ProbeUse> probes;      // Those on whose facts most programs rest come first.
  List<TypeKind> type_kinds;  // Of MUSA's types, sorted by name.
  TORCHADA_FIELDS(libraries, musa, types, musa_types, layouts, musa_layouts, facts, probes,
                  type_kinds)

  const MusaSymbol* musa_symbol(std::string_view library, std::string_view name) const;
  // Where a function of this library leads: to its own backend, or to the runtime. Null if nowhere.
  const MusaSymbol* target_of(const Library& library, const Symbol& symbol) const;
};

// The beginning of the file. The tables follow, and then what belongs to them.
struct FileHeader {
  char magic[8];
  std::uint64_t schema;  // Of the records.
  std::uint64_t size;    // Of all that follows, bytes.
  std::uint64_t sum;
};
FileHeader header_for(std::string_view tables);

// The tables in the bytes of a file. Throws std::runtime_error with what is wrong if torchada-gen
// of this version did not write exactly these bytes.
const Tables& tables_in(std::string_view bytes);

// The item of a list that is sorted by name. Null if there is none.
template <typename T>
const T* find_by_name(const List<T>& list, std::string_view name) {
  const T* found =
      std::lower_bound(list.begin(), list.end(), name,
                       [](const T& item, std::string_view text) { return item.name < text; });
  return found == list.end() || found->name != name ? nullptr : found;
}

std::string written(const SdkRange& range);  // "5.0 and later", "before 4.2", both, or "".
std::string written_sdk(int version);        // "5.1.0"

}  // namespace torchada::tables

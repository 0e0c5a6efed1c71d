// The tables in memory, one struct per kind of record. Readers fill them; check and emit use them.
//
// Every record keeps the file and line it came from, so that errors can name them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/shared/place.h"
#include "src/shared/sdk.h"

namespace torchada {

struct Parameter {
  // As spelled in C with typedef names kept and "struct"/"enum" dropped: "const void *".
  std::string type;
  std::string name;  // May be empty.
};

struct Prototype {
  std::string returns;
  std::vector<Parameter> parameters;
  bool operator==(const Prototype& other) const;  // Parameter names do not count.
};

// ---------------------------------------------------------------------------------------- types

struct EnumValue {
  std::string name;
  std::int64_t value = 0;
};

struct EnumLayout {
  std::vector<EnumValue> values;  // In the order of declaration.
};

struct Field {
  std::string name;         // "a.b" for b in a member a of unnamed type; "b" if a is unnamed.
  std::string type;         // As in Parameter; arrays as "int[3]", bit fields as "unsigned int:1".
  std::int64_t offset = 0;  // Bytes; for bit fields the byte that holds the first bit.
};

struct StructLayout {
  std::int64_t size = 0;   // Bytes.
  std::int64_t align = 0;  // Bytes.
  bool is_union = false;
  std::vector<Field> fields;
};

// What a type name stands for.
enum class TypeKind {
  kScalar,    // An arithmetic typedef: `underlying` names the C type ("unsigned long long").
  kHandle,    // Pointer to an incomplete struct: `underlying` is "CUstream_st *".
  kEnum,      // `enumeration` has the values.
  kStruct,    // `structure` has the layout (unions too).
  kCallback,  // Pointer to function: `callback` has the prototype.
};
const char* kind_name(TypeKind kind);  // "scalar"

struct TypeFact {
  TypeKind kind = TypeKind::kScalar;
  std::string underlying;
  EnumLayout enumeration;
  StructLayout structure;
  Prototype callback;
};

// ------------------------------------------------------------------------------------------ CUDA

// One release from which facts were extracted, in the order of mappings/cuda/releases.yaml.
struct CudaRelease {
  std::string name;  // "11.8", "12.9", "13.0", "13.5"
  int abi = 0;       // 11, 12, 13
  // Facts read from the release's ELF file of one library.
  std::string soname;  // "libcudart.so.13"
  std::string node;    // Version node of the exports, empty if they have none (NCCL).
  std::vector<std::string> needed;
  std::string runpath;
};

struct CudaSymbol {
  std::string name;
  std::vector<std::string> releases;  // Names of the releases that export it.
  bool weak = false;                  // ELF binding; strong otherwise.
  std::string alias_of;  // Another export at the same address, under whose name this is emitted.
  struct Variant {
    std::vector<std::string> releases;
    Prototype prototype;
    std::string source;  // Header that declares it, or "derived from NAME".
  };
  std::vector<Variant> prototypes;  // Disjoint releases; empty if no header declares it.
  Place place;
};

struct CudaType {
  std::string name;
  struct Variant {
    std::vector<std::string> releases;
    TypeFact fact;
  };
  std::vector<Variant> variants;  // Disjoint releases.
  Place place;
};

struct CudaLibrary {
  std::string name;  // cudart, cublas, cublasLt, curand, nccl
  std::string file;  // The table it was read from.
  std::vector<CudaRelease> releases;
  std::map<std::string, CudaSymbol> symbols;
  std::map<std::string, CudaType> types;
};

// ------------------------------------------------------------------------------------------ MUSA

// Strength of the evidence for a fact, strongest first. "Supported" means kDoc or better.
enum class Tier {
  kHardware,
  kSdk,
  kNm,
  kCode,
  kDecl,
  kDoc,
  kDriver,
  kCbid,
  kMap,
  kComment,
  kAbsent
};

// Range of SDK versions, encoded major*10000+minor*100+patch; `to` is exclusive.
struct SdkRange {
  int from = 0;
  int to = kNoSdkEnd;
  bool contains(int version) const { return version >= from && version < to; }
};
// The SDKs that are in both ranges.
SdkRange common(const SdkRange& left, const SdkRange& right);

// How well an entry of a table is known, and where the entry is.
struct MusaEvidence {
  Tier tier = Tier::kMap;
  std::string source;
  Place place;
};

struct MusaPrototype {
  SdkRange sdk;
  Tier tier = Tier::kMap;
  std::string like_symbol;  // Either the prototype of a CUDA symbol, with corresponding types ...
  int like_abi = 0;         // ... at this ABI,
  Prototype prototype;      // or an explicit one (like_symbol empty).
  std::string source;
  Place place;
};

struct MusaSymbol {
  std::string name;       // As a programmer writes it.
  std::string link_name;  // As exported; differs from `name` for mangled C++ names.
  SdkRange sdk;
  Tier tier = Tier::kMap;
  std::vector<std::string> sources;  // owner/name:path
  std::string note;
  // Other symbols of the same library that do the same, for a MUSA without this one.
  std::vector<std::string> also;
  std::vector<MusaPrototype> prototypes;
  Place place;
};

struct MusaEnumValue {
  std::string name;
  std::int64_t value = 0;
  bool known = false;  // false: the name is known, the number is not.
  Tier tier = Tier::kMap;
  std::string source;         // If it is another than those of the enumeration.
  std::string assumed_range;  // Why it is taken to be in SDKs in which no source shows it.
};

struct MusaType {
  std::string name;
  SdkRange sdk;
  Tier tier = Tier::kMap;
  std::vector<std::string> sources;
  std::string note;
  TypeKind kind = TypeKind::kScalar;
  bool complete = false;  // Enums: every value is listed. Structs: size and fields are known.
  std::vector<MusaEnumValue> values;
  TypeFact fact;              // underlying, structure or callback, if known.
  std::string assumed_range;  // As of a value; not of values with a source of their own.
  Place place;
};

struct MusaLibrary {
  std::string name;  // musart, mccl, mublas, mublasLt, murand
  std::string file;
  std::map<std::string, MusaSymbol> symbols;
  std::map<std::string, std::vector<MusaType>> types;  // One entry per SDK range.
  std::vector<MusaEnumValue> constants;                // Macros of the headers.
  std::map<int, std::string> borders;  // Releases where ranges begin or end although no source
                                       // shows which, with the reasons.
};

const char* tier_name(Tier tier);

}  // namespace torchada

#include "src/companion/trace/ffi_types.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace torchada::trace {
namespace {

constexpr std::uint32_t kInRegisters = 16;  // Bytes of the longest struct passed in registers.
constexpr std::uint32_t kWord = 8;

struct Scalar {
  std::uint32_t offset, size;  // Bytes.
  bool is_floating;
};

void flatten(const ValueType& type, std::uint32_t offset, std::vector<Scalar>* out) {
  if (type.kind == ValueKind::kArray) {
    const ValueType& element = type_at(type.target);
    for (std::uint32_t i = 0; i < type.count; ++i) {
      flatten(element, offset + i * element.size, out);
    }
  } else if (type.kind == ValueKind::kStruct) {
    for (std::uint32_t i = 0; i < type.count; ++i) {
      const Member& member = prototype_members[type.first + i];
      flatten(type_at(member.type), offset + member.offset, out);
    }
  } else {
    out->push_back({offset, type.size, type.kind == ValueKind::kFloating});
  }
}

// The elements that make libffi pass eight bytes (or what is left of them) as the calling
// convention passes the scalars in them: in a vector register only if all of them are floating.
void add_word(const std::vector<Scalar>& scalars, std::uint32_t begin, std::uint32_t size,
              std::vector<ffi_type*>* out) {
  bool is_floating = true;
  std::uint32_t longest = 0;
  for (const Scalar& scalar : scalars) {
    if (scalar.offset + scalar.size <= begin || scalar.offset >= begin + size) continue;
    is_floating = is_floating && scalar.is_floating;
    longest = std::max(longest, scalar.size);
  }
  if (is_floating && longest == kWord) {
    out->push_back(&ffi_type_double);
  } else if (is_floating) {
    out->insert(out->end(), size / 4, &ffi_type_float);
  } else if (size == kWord) {
    out->push_back(&ffi_type_uint64);
  } else if (size == 4) {
    out->push_back(&ffi_type_uint32);
  } else {
    out->insert(out->end(), size, &ffi_type_uint8);
  }
}

struct StructType {
  ffi_type type{};
  std::vector<ffi_type*> elements;
};

// A call interface, with everything that it refers to.
struct Interface {
  ffi_cif cif{};
  std::vector<ffi_type*> parameters;
  std::vector<std::unique_ptr<StructType>> structs;

  ffi_type* struct_type(const ValueType& type);
  ffi_type* type_of(const ValueType& type);
};

ffi_type* Interface::struct_type(const ValueType& type) {
  std::vector<Scalar> scalars;
  flatten(type, 0, &scalars);
  structs.push_back(std::make_unique<StructType>());
  StructType& out = *structs.back();
  if (type.size > kInRegisters) {
    // Passed in memory, whatever it holds.
    out.elements.assign(type.size, &ffi_type_uint8);
  } else {
    for (std::uint32_t begin = 0; begin < type.size; begin += kWord) {
      add_word(scalars, begin, std::min(kWord, type.size - begin), &out.elements);
    }
  }
  out.elements.push_back(nullptr);
  // Size and alignment are set, so libffi does not compute them from the elements.
  out.type = {type.size, type.alignment, FFI_TYPE_STRUCT, out.elements.data()};
  return &out.type;
}

ffi_type* integer(std::uint32_t size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? &ffi_type_sint8 : &ffi_type_uint8;
    case 2:
      return is_signed ? &ffi_type_sint16 : &ffi_type_uint16;
    case 4:
      return is_signed ? &ffi_type_sint32 : &ffi_type_uint32;
    default:
      return is_signed ? &ffi_type_sint64 : &ffi_type_uint64;
  }
}

ffi_type* Interface::type_of(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::kVoid:
      return &ffi_type_void;
    case ValueKind::kSigned:
    case ValueKind::kCharacter:
      return integer(type.size, true);
    case ValueKind::kUnsigned:
      return integer(type.size, false);
    case ValueKind::kEnum:
      return &ffi_type_sint32;
    case ValueKind::kFloating:
      return type.size == 4 ? &ffi_type_float : &ffi_type_double;
    case ValueKind::kStruct:
      return struct_type(type);
    case ValueKind::kPointer:
    case ValueKind::kHandle:
    case ValueKind::kCallback:
      return &ffi_type_pointer;
    case ValueKind::kArray:
    case ValueKind::kOpaque:
      return nullptr;  // No function passes these by value.
  }
  return nullptr;
}

}  // namespace

ffi_cif* call_interface(std::uint32_t returns, std::uint32_t first, std::uint32_t count) {
  auto out = std::make_unique<Interface>();
  for (std::uint32_t i = 0; i < count; ++i) {
    out->parameters.push_back(out->type_of(type_at(prototype_members[first + i].type)));
    if (!out->parameters.back()) return nullptr;
  }
  ffi_type* result = out->type_of(type_at(returns));
  if (!result ||
      ffi_prep_cif(&out->cif, FFI_DEFAULT_ABI, count, result, out->parameters.data()) != FFI_OK) {
    return nullptr;
  }
  return &out.release()->cif;
}

}  // namespace torchada::trace

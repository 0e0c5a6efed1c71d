#include "src/command/verify/call.h"

#include <ffi.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

namespace torchada::verify {
namespace {

// The upper half of an int's register has no defined contents. This pattern exposes a function that
// takes 64 bits where the table says 32.
constexpr std::uint64_t kUpperHalf = 0x5EED5EEDULL << 32;

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::string without_const(std::string type) {
  if (type.starts_with("const ")) type = type.substr(6);
  return trimmed(type);
}

bool is_pointer(const std::string& type) {
  return type.find('*') != std::string::npos || type.find('[') != std::string::npos;
}

// "void *" for "void **". Empty for a pointer to const, through which nothing is written.
std::string pointee(const std::string& type) {
  const std::size_t star = type.rfind('*');
  if (star == std::string::npos) return "";
  const std::string out = trimmed(type.substr(0, star));
  const bool is_const = !is_pointer(out) ? out.starts_with("const ") : out.ends_with("const");
  return is_const ? "" : out;
}

const std::map<std::string, std::size_t>& c_sizes() {
  static const std::map<std::string, std::size_t> kSizes = {
      {"char", 1},           {"signed char", 1},   {"unsigned char", 1}, {"short", 2},
      {"unsigned short", 2}, {"int", 4},           {"unsigned int", 4},  {"unsigned", 4},
      {"int32_t", 4},        {"uint32_t", 4},      {"float", 4},         {"double", 8},
      {"long", 8},           {"unsigned long", 8}, {"long long", 8},     {"unsigned long long", 8},
      {"int64_t", 8},        {"uint64_t", 8},      {"size_t", 8}};
  return kSizes;
}

bool is_signed(const std::string& type) {
  return type.rfind("unsigned", 0) != 0 && type.rfind("uint", 0) != 0 && type != "size_t";
}

// The libffi types of structs. They must outlive the call.
class Types {
 public:
  explicit Types(const Facts& facts) : facts_(facts) {}

  ffi_type* of(const std::string& spelled) {
    const std::string type = without_const(spelled);
    if (is_pointer(type)) return &ffi_type_pointer;
    if (type == "float") return &ffi_type_float;
    if (type == "double") return &ffi_type_double;
    if (type == "void") return &ffi_type_void;
    const auto plain = c_sizes().find(type);
    if (plain != c_sizes().end()) return integer(plain->second);
    const std::string kind = facts_.kind_of_type(type);
    if (kind == "enum") return integer(4);
    if (kind == "handle" || kind == "callback") return &ffi_type_pointer;
    if (kind == "scalar") return of(facts_.underlying(type));
    if (kind == "struct") return structure(type);
    throw CannotCall("the tables do not know the type '" + spelled + "'");
  }

 private:
  // 32 bits travel in a 64-bit register or stack slot.
  static ffi_type* integer(std::size_t size) {
    return size == 1 ? &ffi_type_uint8 : size == 2 ? &ffi_type_uint16 : &ffi_type_uint64;
  }

  ffi_type* structure(const std::string& name) {
    const Fact* size = facts_.size(name);
    if (!size || !size->size) throw CannotCall("the layout of " + name + " is not known");
    std::vector<ffi_type*>& elements = elements_.emplace_back();
    for (const Fact* field : facts_.fields(name)) add_field(field->field_type, &elements);
    elements.push_back(nullptr);
    ffi_type& out = structs_.emplace_back();
    out = {0, 0, FFI_TYPE_STRUCT, elements.data()};
    return &out;
  }

  void add_field(const std::string& type, std::vector<ffi_type*>* elements) {
    const std::size_t bracket = type.find('[');
    const std::string base = trimmed(type.substr(0, bracket));
    const std::size_t count =
        bracket == std::string::npos ? 1 : std::stoul(type.substr(bracket + 1));
    ffi_type* element = of(base);
    if (element == &ffi_type_uint64 && size_of(facts_, base) == 4) element = &ffi_type_uint32;
    elements->insert(elements->end(), count, element);
  }

  const Facts& facts_;
  std::deque<std::vector<ffi_type*>> elements_;
  std::deque<ffi_type> structs_;
};

// The bytes of one argument, at the address that libffi reads.
union Slot {
  std::uint64_t integer;
  float single;
  double real;
  void* pointer;
};

std::int64_t extended(std::uint64_t raw, std::size_t size, bool with_sign) {
  if (size != 4) return static_cast<std::int64_t>(raw);
  const auto low = static_cast<std::uint32_t>(raw);
  return with_sign ? static_cast<std::int32_t>(low) : static_cast<std::int64_t>(low);
}

}  // namespace

std::size_t OutBuffer::written() const {
  std::size_t end = kSize;
  while (end > 0 && bytes_[end - 1] == kPattern) --end;
  return end;
}

std::int64_t OutBuffer::integer() const {
  if (expected == 4) return get<std::int32_t>();
  return get<std::int64_t>();
}

std::size_t size_of(const Facts& facts, const std::string& spelled) {
  const std::string type = without_const(spelled);
  if (is_pointer(type)) return sizeof(void*);
  const auto plain = c_sizes().find(type);
  if (plain != c_sizes().end()) return plain->second;
  const std::string kind = facts.kind_of_type(type);
  if (kind == "enum") return 4;
  if (kind == "handle" || kind == "callback") return sizeof(void*);
  if (kind == "scalar") return size_of(facts, facts.underlying(type));
  const Fact* size = kind == "struct" ? facts.size(type) : nullptr;
  return size && size->size ? static_cast<std::size_t>(*size->size) : 0;
}

namespace {

void* fill_slot(const Facts& facts, const Parameter& parameter, const ffi_type* type,
                const Value& value, Slot* slot) {
  if (type == &ffi_type_pointer) {
    slot->pointer = value.pointer;
    if (value.kind == Value::Kind::kBuffer) {
      slot->pointer = value.buffer->data();
      const std::string target = pointee(parameter.type);
      value.buffer->expected = target.empty() ? 0 : size_of(facts, target);
    } else if (value.kind != Value::Kind::kPointer) {
      throw CannotCall("the parameter " + parameter.name +
                       " is a pointer in the table, but the probe passes something else");
    }
  } else if (type == &ffi_type_float || type == &ffi_type_double) {
    if (value.kind != Value::Kind::kReal) {
      throw CannotCall(
          "the parameter " + parameter.name +
          " is a floating-point number in the table, but the probe passes something else");
    }
    if (type == &ffi_type_float) {
      slot->single = static_cast<float>(value.real);
    } else {
      slot->real = value.real;
    }
  } else if (type->type == FFI_TYPE_STRUCT) {
    if (value.kind != Value::Kind::kBytes || value.bytes.size() < size_of(facts, parameter.type)) {
      throw CannotCall("the parameter " + parameter.name +
                       " is a struct in the table, but the probe passes something else");
    }
    return const_cast<unsigned char*>(value.bytes.data());
  } else {
    if (value.kind == Value::Kind::kPointer && size_of(facts, parameter.type) == 8) {
      slot->pointer = value.pointer;  // An integer that holds an address.
      return slot;
    }
    if (value.kind != Value::Kind::kInteger) {
      throw CannotCall("the parameter " + parameter.name +
                       " is an integer in the table, but the probe passes something else");
    }
    slot->integer = static_cast<std::uint64_t>(value.integer);
    if (size_of(facts, parameter.type) == 4) {
      slot->integer = kUpperHalf | static_cast<std::uint32_t>(value.integer);
    }
  }
  return slot;
}

}  // namespace

Answer call(const Facts& facts, const Fact& prototype, void* function, const Arguments& arguments,
            bool spare) {
  Types types(facts);
  std::vector<ffi_type*> kinds;
  std::vector<Slot> slots(prototype.parameters.size());
  std::vector<void*> places;
  for (std::size_t i = 0; i < prototype.parameters.size(); ++i) {
    const Parameter& parameter = prototype.parameters[i];
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const auto& item) { return item.first == parameter.name; });
    if (found == arguments.end()) {
      throw CannotCall("the probe has no argument for the parameter " + parameter.name);
    }
    kinds.push_back(types.of(parameter.type));
    places.push_back(fill_slot(facts, parameter, kinds.back(), found->second, &slots[i]));
  }
  if (!spare && arguments.size() != prototype.parameters.size()) {
    throw CannotCall("the table has " + std::to_string(prototype.parameters.size()) +
                     " parameters, the probe passes " + std::to_string(arguments.size()));
  }
  ffi_type* returned = types.of(prototype.returns);
  if (returned->type == FFI_TYPE_STRUCT) throw CannotCall("the function returns a struct");
  ffi_cif interface;
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(kinds.size()), returned,
                   kinds.data()) != FFI_OK) {
    throw CannotCall("libffi does not support the prototype");
  }
  Slot result = {};
  ffi_call(&interface, FFI_FN(function), &result, places.data());
  Answer out;
  out.pointer = result.pointer;
  out.number =
      extended(result.integer, size_of(facts, prototype.returns), is_signed(prototype.returns));
  return out;
}

}  // namespace torchada::verify

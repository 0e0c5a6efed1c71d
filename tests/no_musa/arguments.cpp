#include "tests/no_musa/arguments.h"

#include <algorithm>
#include <stdexcept>

#include "generator/decide/compare.h"

namespace no_musa {
namespace {

using torchada::Field;
using torchada::Prototype;
using torchada::StructLayout;
using torchada::Tables;
using torchada::TypeFact;
using torchada::TypeKind;

constexpr std::int64_t kWord = 8;
constexpr std::int64_t kLargestInRegisters = 2 * kWord;

bool is_pointer(const std::string& type) {
  return type.find('*') != std::string::npos && type.find("(*)") == std::string::npos;
}

const TypeFact* fact_of(const Tables& tables, const std::string& release, const std::string& base) {
  const torchada::CudaType* type = tables.cuda_type(base);
  if (!type) return nullptr;
  for (const auto& variant : type->variants) {
    if (std::find(variant.releases.begin(), variant.releases.end(), release) !=
        variant.releases.end()) {
      return &variant.fact;
    }
  }
  return nullptr;
}

// The struct behind a type, or null if the type is not a known struct.
const StructLayout* structure_of(const Tables& tables, const std::string& release,
                                 const std::string& type) {
  if (is_pointer(type)) return nullptr;
  const TypeFact* fact = fact_of(tables, release, torchada::base_type(type));
  if (!fact) return nullptr;
  if (fact->kind == TypeKind::kScalar) return structure_of(tables, release, fact->underlying);
  return fact->kind == TypeKind::kStruct && fact->structure.size > 0 ? &fact->structure : nullptr;
}

bool only_floats(const Tables& tables, const std::string& release, const std::string& type) {
  if (type.find('*') != std::string::npos) return false;
  const std::string base = torchada::base_type(type);
  if (base == "float" || base == "double") return true;
  const StructLayout* structure = structure_of(tables, release, type);
  return structure &&
         std::all_of(structure->fields.begin(), structure->fields.end(),
                     [&](const Field& field) { return only_floats(tables, release, field.type); });
}

// For each eight bytes of a struct: whether they are passed in a vector register.
std::vector<bool> vector_words(const Tables& tables, const std::string& release,
                               const StructLayout& structure) {
  std::vector<bool> out(static_cast<std::size_t>((structure.size + kWord - 1) / kWord), true);
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    if (only_floats(tables, release, structure.fields[i].type)) continue;
    const std::int64_t begin = structure.fields[i].offset;
    const bool last = structure.is_union || i + 1 == structure.fields.size();
    const std::int64_t end = last ? structure.size : structure.fields[i + 1].offset;
    for (std::int64_t word = begin / kWord; word * kWord < end; ++word) {
      out[static_cast<std::size_t>(word)] = false;
    }
  }
  return out;
}

// Assigns registers and stack words in the order of the parameters.
class Dealer {
 public:
  void pass_pointer(const std::string& name) {
    if (integers_ < kIntegerRegisters) {
      places_.push_back({name, false, integers_++});
    } else {
      places_.push_back({name, true, take_stack(1)});
    }
  }

  // A struct goes into registers as a whole or not at all.
  void pass_words(const std::vector<bool>& is_vector) {
    const auto vectors =
        static_cast<unsigned>(std::count(is_vector.begin(), is_vector.end(), true));
    const auto integers = static_cast<unsigned>(is_vector.size()) - vectors;
    if (integers_ + integers <= kIntegerRegisters && vectors_ + vectors <= kVectorRegisters) {
      integers_ += integers;
      vectors_ += vectors;
    } else {
      take_stack(static_cast<unsigned>(is_vector.size()));
    }
  }

  unsigned take_stack(unsigned words) {
    const unsigned first = stack_;
    stack_ += words;
    if (stack_ > kStackWords) throw std::runtime_error("the arguments exceed the stack window");
    return first;
  }

  std::vector<PointerPlace> places() const { return places_; }

 private:
  unsigned integers_ = 0, vectors_ = 0, stack_ = 0;
  std::vector<PointerPlace> places_;
};

bool returns_in_memory(const Tables& tables, const std::string& release,
                       const Prototype& prototype) {
  const StructLayout* structure = structure_of(tables, release, prototype.returns);
  return structure && structure->size > kLargestInRegisters;
}

}  // namespace

std::vector<PointerPlace> pointers_of(const Tables& tables, const std::string& release,
                                      const Prototype& prototype) {
  Dealer dealer;
  if (returns_in_memory(tables, release, prototype)) dealer.pass_pointer("result");
  for (std::size_t i = 0; i < prototype.parameters.size(); ++i) {
    const std::string& type = prototype.parameters[i].type;
    const StructLayout* structure = structure_of(tables, release, type);
    if (is_pointer(type)) {
      dealer.pass_pointer(std::to_string(i));
    } else if (!structure) {
      dealer.pass_words({only_floats(tables, release, type)});
    } else if (structure->size > kLargestInRegisters) {
      dealer.take_stack(static_cast<unsigned>((structure->size + kWord - 1) / kWord));
    } else {
      dealer.pass_words(vector_words(tables, release, *structure));
    }
  }
  return dealer.places();
}

ResultKind result_kind(const Tables& tables, const std::string& release,
                       const Prototype& prototype) {
  const std::string& type = prototype.returns;
  if (type == "const char *") return ResultKind::kText;
  if (is_pointer(type)) return ResultKind::kPointer;
  if (type == "void" || returns_in_memory(tables, release, prototype)) return ResultKind::kNone;
  if (type == "char") return ResultKind::kCharacter;
  if (type == "size_t") return ResultKind::kInteger64;
  const StructLayout* structure = structure_of(tables, release, type);
  if (only_floats(tables, release, type)) {
    // A complex number is represented by its real part.
    const std::string base = structure ? structure->fields.front().type : type;
    return base == "float" ? ResultKind::kFloat : ResultKind::kDouble;
  }
  if (structure) return ResultKind::kInteger64;
  const TypeFact* fact = fact_of(tables, release, torchada::base_type(type));
  return fact && fact->kind == TypeKind::kHandle ? ResultKind::kPointer : ResultKind::kInteger32;
}

}  // namespace no_musa

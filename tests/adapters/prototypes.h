// The prototypes that list_prototypes.cpp lists.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace adapters {

// How the calling convention passes a type.
enum class Passed {
  kPointer,
  kEnum,
  kInt32,
  kInt64,
  kFloating,
  kOther,  // Structs by value, and integers of fewer than 32 bits.
};

// A documented condition of a function, as in the table.
struct DocumentedCondition {
  std::string status;  // The enumerator to return if it does not hold.
  std::string text;
};

struct AdaptedPrototype {
  std::string label;  // cublas-12
  std::string cuda, musa;
  std::string cuda_returns, musa_returns;
  std::vector<std::string> cuda_parameters, musa_parameters;
  std::vector<std::string>
      names;  // Of the CUDA parameters; empty for a library without conditions.
  std::vector<DocumentedCondition> conditions;
};

class Prototypes {
 public:
  // Throws std::runtime_error if the file is missing or malformed.
  explicit Prototypes(const std::string& file);

  const std::vector<AdaptedPrototype>& all() const { return all_; }
  // How a type is passed; `label` is "musa" for MUSA's types.
  Passed passed(const std::string& label, const std::string& spelled) const;
  // Bytes of a struct, 0 for another type; and whether two structs have the same layout.
  std::size_t size(const std::string& label, const std::string& spelled) const;
  bool same_layout(const std::string& label, const std::string& cuda,
                   const std::string& musa) const;
  // The numbers of an enumeration for a label; empty for another type.
  std::set<std::int64_t> numbers(const std::string& label, const std::string& spelled) const;
  // The number of an enumerator. Throws std::out_of_range.
  std::int64_t number(const std::string& label, const std::string& enumerator) const {
    return enumerators_.at(label + " " + enumerator);
  }

 private:
  struct Type {
    std::string kind, underlying;
    std::set<std::int64_t> numbers;
  };
  std::vector<AdaptedPrototype> all_;
  std::map<std::string, Type> types_;                // By "LABEL NAME".
  std::map<std::string, std::int64_t> enumerators_;  // The same.
};

// "const cublasHandle_t *" -> "cublasHandle_t".
std::string base_of(const std::string& spelled);

}  // namespace adapters

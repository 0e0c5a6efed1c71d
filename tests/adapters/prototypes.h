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

struct AdaptedPrototype {
  std::string label;  // cublas-12
  std::string cuda, musa;
  std::string cuda_returns, musa_returns;
  std::vector<std::string> cuda_parameters, musa_parameters;
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

 private:
  struct Type {
    std::string kind, underlying;
    std::set<std::int64_t> numbers;
  };
  std::vector<AdaptedPrototype> all_;
  std::map<std::string, Type> types_;  // By "LABEL NAME".
};

// "const cublasHandle_t *" -> "cublasHandle_t".
std::string base_of(const std::string& spelled);

}  // namespace adapters

// What the evidence says about CUDA and MUSA names, read from musa_names.csv. That was written from
// the public evidence and not from mappings/, so that a wrong row there does not confirm itself.
#pragma once

#include <map>
#include <set>
#include <string>

namespace recording {

class Witness {
 public:
  // Throws std::runtime_error if the file is missing or malformed.
  explicit Witness(const std::string& file);

  // Whether `musa` is the counterpart of `cuda`_v2 or `cuda`_v3.
  bool is_promoted(const std::string& cuda, const std::string& musa) const;

  // Why `musa` is not the counterpart of `cuda`; empty if it is.
  std::string objection(const std::string& cuda, const std::string& musa) const;

 private:
  std::map<std::string, std::set<std::string>> counterparts_;  // By CUDA name.
};

}  // namespace recording

// The doctor's findings: each has evidence and a remedy, and causes come first.
#pragma once

#include <string>
#include <vector>

namespace torchada::doctor {

enum class Severity {
  kError,    // A program fails because of it, or runs without MUSA.
  kWarning,  // Part of a program will fail, or uses something perhaps unintended.
  kNote,
};

struct Evidence {
  std::string what, value;  // "LD_LIBRARY_PATH", "/opt/old/lib"
};

struct Finding {
  std::string id;  // One from the list in findings.cpp.
  Severity severity = Severity::kError;
  std::string message;
  std::vector<Evidence> evidence;
  std::string remedy;
};

struct Fact {
  std::string what, value;
};

class Report {
 public:
  void add(Finding finding);
  void fact(std::string what, std::string value);

  bool has(const std::string& id) const;
  bool has_errors() const;
  // By severity, then by the list in findings.cpp, then by time of discovery.
  std::vector<Finding> sorted() const;
  const std::vector<Fact>& facts() const { return facts_; }

 private:
  std::vector<Finding> findings_;
  std::vector<Fact> facts_;
};

std::string write_text(const Report& report);
std::string write_json(const Report& report);

}  // namespace torchada::doctor

// Where ours answer differently from the real libraries, and which differences are intended.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/no_musa/answer_table.h"

namespace no_musa {

struct Deviation {
  std::string label;    // cudart-13
  std::string library;  // cudart
  std::string function;
  std::string call;    // "zero" or "pages"
  std::string aspect;  // "status", "last error" or "writes"
  Words real, ours;
};

struct Comparison {
  int compared = 0;        // Functions for which the real one has an answer to some call.
  int without_answer = 0;  // Those that never return, whose result varies, or that are data.
  int equal = 0;           // Of `compared`, those without a deviation.
  std::vector<Deviation> deviations;  // One for each call and aspect.
};

// `real` has the answers to compare with, by function.
Comparison compare(const std::string& label, const std::string& library, const LibraryAnswers& real,
                   const LibraryAnswers& ours);

// A documented class of deviations. Empty lists match everything; functions are shell patterns.
struct DeviationClass {
  std::string name, reason;
  std::vector<std::string> libraries, functions, real, ours;
  std::map<std::string, int> counts;  // Number of deviations by label; 0 for missing labels.
  int line = 0;

  bool holds(const Deviation& deviation) const;
};

// In file order: a deviation belongs to the first class that matches it.
std::vector<DeviationClass> read_deviation_classes(const std::string& file);

const DeviationClass* class_of(const std::vector<DeviationClass>& classes,
                               const Deviation& deviation);

}  // namespace no_musa

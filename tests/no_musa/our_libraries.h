// Holding ours against the record, and the record of deviations against the README.
#pragma once

#include <string>

namespace no_musa {

struct CompareOptions {
  std::string mappings;    // Folder of the tables.
  std::string label;       // cudart-13
  std::string library;     // Path of ours.
  std::string deviations;  // deviations.yaml
  std::string readme;      // Where the table of results stands; empty: not looked at.
  int seconds = 0;         // For one call.
  bool list = false;       // Print every deviation.
};

// Prints deviations that are not listed, classes whose counts differ, a row that the README lacks;
// the number of these findings.
int compare_ours(const CompareOptions& options);

// Prints the classes of deviations as a table; the number of its rows that the README lacks.
int print_classes(const std::string& deviations, const std::string& readme);

}  // namespace no_musa

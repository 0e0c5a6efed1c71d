// Compares ours with the record, and the listed deviations with the README.
#pragma once

#include <string>

namespace no_musa {

struct CompareOptions {
  std::string mappings;    // Folder of the tables.
  std::string label;       // cudart-13
  std::string library;     // Path of our library.
  std::string deviations;  // deviations.yaml
  std::string readme;      // File with the table of results; empty: not checked.
  int seconds = 0;         // Limit for one call.
  bool list = false;       // Print every deviation.
};

// Prints deviations that are not listed, classes with other counts, and a row that the README
// lacks. Returns the number of these findings.
int compare_ours(const CompareOptions& options);

// Prints the classes of deviations as a table. Returns the number of rows that the README lacks.
int print_classes(const std::string& deviations, const std::string& readme);

}  // namespace no_musa

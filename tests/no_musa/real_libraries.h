// Recording the libraries of a CUDA release, and looking whether a record still holds.
#pragma once

#include <string>
#include <vector>

namespace no_musa {

struct RecordOptions {
  std::string mappings;              // Folder of the tables.
  std::string release;               // Of releases.yaml.
  std::vector<std::string> folders;  // Where its libraries are looked for, at any depth.
  int seconds = 0;                   // For one call.
  bool again = false;                // The second run, which finds out what varies.
};

std::string table_file(const std::string& mappings);  // mappings/cuda/no_driver.yaml

// Replaces the answers of the release in the table; then the program starts itself once more with
// --again, so that it returns only then. Throws std::runtime_error where a library is missing or
// the machine has a driver.
void record(const RecordOptions& options);

// Calls the libraries and prints what differs from the table; the number of functions that do, or
// -1, with a line that says why, where there is nothing to call.
int verify(const RecordOptions& options);

}  // namespace no_musa

// Records the libraries of a CUDA release, and checks whether a record still holds.
#pragma once

#include <string>
#include <vector>

namespace no_musa {

struct RecordOptions {
  std::string mappings;              // Folder of the tables.
  std::string release;               // A release of releases.yaml.
  std::vector<std::string> folders;  // Where to look for its libraries, at any depth.
  int seconds = 0;                   // Limit for one call.
  bool again = false;                // This is the second run, which finds out what varies.
};

std::string table_file(const std::string& mappings);  // mappings/cuda/no_driver.yaml

// Replaces the answers of the release in the table. Then starts the program once more with --again,
// and returns only in that second run. Throws std::runtime_error if a library is missing or the
// machine has a driver.
void record(const RecordOptions& options);

// Calls the libraries and prints what differs from the table. Returns the number of functions that
// differ, or -1 with a line that says why if nothing can be called.
int verify(const RecordOptions& options);

}  // namespace no_musa

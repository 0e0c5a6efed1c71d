// Our libraries as the tests here and in tests/adapters and tests/trace expect them, written by
// hand in cuda_libraries.csv. cuda_libraries_test.cpp compares the labels and files with the
// registry.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace recording {

struct CudaLibrary {
  std::string label;   // cudart-12
  std::string file;    // Below lib/: libcudart.so.12.
  int unsupported;     // The status of a function that MUSA does not have.
  int no_device_code;  // The status of a function that needs device code; cudart's differs.
  int no_devices;      // Of functions that refuse by saying so; 0 if the library has none.
  // With fewer of these, a test has lost track of them: functions that lead to MUSA unchanged,
  // adapters that tests/adapters calls argument for argument, prototypes that tests/trace calls.
  std::size_t direct;
  std::size_t called;
  std::size_t prototypes;

  int major() const { return std::stoi(label.substr(label.rfind('-') + 1)); }
};

// All of them, in the order of the file. Throws std::runtime_error if the file is not as expected.
const std::vector<CudaLibrary>& cuda_libraries();

// One library, such as cudart, for every major version that has one of its own.
std::vector<CudaLibrary> each_major_of(const std::string& name);

// Throws std::out_of_range if no library has this label.
const CudaLibrary& cuda_library(const std::string& label);

// The label as a test's name: cudart_12.
std::string name_of(const testing::TestParamInfo<CudaLibrary>& tested);

inline void PrintTo(const CudaLibrary& library, std::ostream* out) { *out << library.label; }

}  // namespace recording

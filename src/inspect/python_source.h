// What a Python source imports and which libraries it opens. Nothing is run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchada {

struct PythonImport {
  std::string module;              // "a.b". Empty for "from . import x".
  int level = 0;                   // Number of leading dots.
  std::vector<std::string> names;  // Of "from m import x, y". Each may be a submodule.
  int line = 0;                    // Counted from 1.
  bool deferred = false;           // In a function: happens only if the function is called.
  bool optional = false;           // In a try statement: the program may do without it.
};

// A string that may name a shared library.
struct PythonLibrary {
  std::string text;  // "libcuda.so.1", "/opt/libx.so", or "cudart" in find_library("cudart").
  int line = 0;
  bool opened = false;    // The argument of a call that opens a library by its name: CDLL("...").
  bool stem = false;      // Without "lib" and ".so".
  bool deferred = false;  // In a function.
  bool optional = false;  // In a try statement.
};

struct PythonSource {
  std::vector<PythonImport> imports;  // Without those for type checkers only.
  std::vector<PythonLibrary> libraries;
  std::vector<int> computed_libraries;  // Lines that open a library under a name that they compute.
  std::vector<int> computed_imports;    // The same for modules.
};

// Never fails: what is not Python gives a wrong or empty answer. Uses at most a few megabytes
// beside the result.
PythonSource read_python(std::string_view text);

}  // namespace torchada

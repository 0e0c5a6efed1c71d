// What a Python source imports and which libraries it opens. Nothing is run.
//
// Deferred is what stands in a function that the source does not call by itself when it is
// imported, and what follows "if __name__ == '__main__'".
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
  bool deferred = false;
  bool optional = false;  // In a try statement: the program may do without it.
  // Under a name that the source computes: some submodule of `module` whose name begins so.
  bool computed = false;
  std::string begins;
};

// A string that may name a shared library.
struct PythonLibrary {
  std::string text;  // "libcuda.so.1", "/opt/libx.so", or "cudart" in find_library("cudart").
  int line = 0;
  bool opened = false;  // The argument of a call that opens a library by its name: CDLL("...").
  bool stem = false;    // Without "lib" and ".so".
  bool deferred = false;
  bool optional = false;  // In a try statement.
};

// A file that a source names.
struct PythonFile {
  std::string path;
  int line = 0;
};

struct PythonSource {
  std::vector<PythonImport> imports;  // Without those for type checkers only.
  std::vector<PythonLibrary> libraries;
  std::vector<int> computed_libraries;  // Lines that open a library under a name that they compute.
  std::vector<int> computed_imports;    // The same for modules, if nothing of the name is known.
  std::vector<std::string> located;     // Packages whose directory it asks for: find_spec("a").
  std::vector<std::string> plugin_groups;  // Of entry points that it looks up, in any function.
  // The files of NVIDIA's GPUs that it names, if it asks anywhere whether a file exists.
  std::vector<PythonFile> nvidia_devices;
};

// Never fails: what is not Python gives a wrong or empty answer. Uses at most a few megabytes
// beside the result.
PythonSource read_python(std::string_view text);

}  // namespace torchada

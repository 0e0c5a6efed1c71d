// torchada check: what a file needs from CUDA, and whether that works.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/command/check/other_libraries.h"
#include "src/command/check/standings.h"
#include "src/command/kernel_libraries.h"
#include "src/inspect/kernel_names.h"
#include "src/inspect/python_source.h"

namespace torchada::check {

// From best to worst. An archive or directory gets the worst verdict of its files.
enum class Verdict {
  kNothing,     // Uses nothing from CUDA.
  kReplaced,    // A library that torchada's replaces.
  kRuns,        // Everything it needs is supported.
  kUnexamined,  // Nothing speaks against it, but a part could not be examined.
  kAssumed,     // It needs symbols that public evidence does not prove.
  kPartly,      // It needs functions that answer "not supported".
  kKernels,     // It runs until it launches its own kernels.
  kUnreadable,  // Could not be examined.
  kCannot,
};
const char* word_of(Verdict verdict);  // "runs": the word for programs.

struct NeededSymbol {
  std::string name, version;       // The version node. Empty if the file requires none.
  const Symbol* symbol = nullptr;  // Null if the library has no such symbol.
  bool weak = false;
  bool looked_up = false;  // Found only as a string: the file may ask for it at run time.
  std::vector<int> lines;  // Lines of a source that name it.
};

// One of torchada's libraries, and what the file needs from it.
struct NeededLibrary {
  std::string asked;                  // The name in the file. The SONAME if the file names none.
  const Library* library = nullptr;   // Null for a major that torchada does not have.
  bool listed = false;                // In the file's NEEDED entries.
  std::vector<NeededSymbol> symbols;  // Sorted by name.
};

// A library of CUDA that torchada does not have.
struct OtherNeeded {
  std::string name;  // As in the file. The stem if the file names only functions or headers.
  const OtherLibrary* library = nullptr;
  bool listed = false;     // In the NEEDED entries.
  bool opened = false;     // Named in the file, so that it may be opened at run time.
  bool required = false;   // A script opens it and has no other way.
  bool at_once = false;    // And does so when it starts or is imported.
  bool deferred = false;   // A script opens it only in functions that it does not call by itself.
  bool looked_up = false;  // A binary has the functions as strings, for dlsym.
  // Functions of it that the file calls or looks up. Sorted by name.
  struct Function {
    std::string name;
    std::vector<int> lines;
  };
  std::vector<Function> functions;
  std::vector<std::string> headers;  // Those that a source includes.
  std::string found;  // A file that the loader finds for a NEEDED entry. Empty if none is known.
};

// A value of a parameter that torchada's libraries refuse.
struct RefusedValue {
  std::string name, why;
  std::vector<int> lines;
};

// What a file brings, with all that it loads.
struct Brought {
  Verdict verdict = Verdict::kNothing;
  std::string reason;     // The worst of what it brings: "PATH needs ...".
  bool stops = false;     // It cannot be loaded, and who loads it has no way without it.
  bool works = false;     // As Report::works, of anything that it brings.
  bool blind = false;     // As Report::blind, of what is always loaded.
  bool compiles = false;  // As Report::compiles, of anything that it brings.
  std::string code;       // As Report::code, of the first file with one: "PATH: it loads ...".
  // Offered on request only, and in the NEEDED entries of something that it brings.
  const Library* on_request = nullptr;
};

// A module or library that the file loads.
struct Loaded : Brought {
  std::string name;           // "torch", "libfoo.so"
  std::string path;           // Where it was found.
  int line = 0;               // 0 in an ELF file.
  const char* how = "loads";  // Or "imports", "opens".
};

// The name of a file that is no library of CUDA, in a script or a binary. More of them than these
// are a list for another purpose.
constexpr std::size_t kMostNamedFiles = 256;
struct NamedFile {
  std::string name;  // Without directories.
  int line = 0;
};

struct DeviceImages {
  std::string kind;          // "PTX", "ELF", "kind 4"
  std::string architecture;  // "sm_80", "sm_90a", "compute_90"
  std::uint32_t number = 0;  // The number in `architecture`: 90.
  std::string flags;         // Options for ptxas.
  int count = 0;
  int compressed = 0;
};

// A kernel that the file registers.
struct Kernel {
  RegisteredKernel kernel;
  KernelPlace place;  // Among Options::kernel_libraries.
};

struct DeviceCode {
  bool skipped = false;  // There is some, which was not read: the numbers below are not known.
  int binaries = 0;
  std::vector<DeviceImages> images;
  std::string damage;
  bool launches = false;  // Contains kernels, not only data or nothing.
  // With Options::kernels:
  std::vector<Kernel> kernels;  // Sorted by signature.
  NameSet sources;              // Of kernels and variables, as nvcc's names tell them: a_cu.
  std::string unknown;          // Why there may be more. Empty if there are no more.
  // With Options::kernel_libraries:
  bool compared = false;
  std::string unread;  // One of them whose kernels are not known. Empty if there is none.
};

struct Report {
  std::string path;  // "wheel.whl!lib/x.so" in an archive.
  std::string kind;  // "ELF", "source", "archive", "file"
  Verdict verdict = Verdict::kNothing;
  std::vector<std::string> reasons;  // Reasons for the verdict, worst first.
  std::vector<std::string> remedies;

  std::vector<NeededLibrary> libraries;
  std::vector<OtherNeeded> others;
  std::vector<std::string> opens;     // CUDA libraries opened at run time, as named in the file.
  std::vector<std::string> unserved;  // Those of them in a major that torchada does not have.
  std::vector<RefusedValue> refused;
  std::vector<Loaded> loads;
  std::vector<std::string> unexamined;  // What could not be examined, each with the reason.
  std::vector<std::string> templates;   // Headers of templates that contain kernels.
  std::string soname, rpath, runpath;
  bool static_runtime = false;
  bool stops = false;  // It cannot be loaded: it lacks what it needs at once.
  // It uses CUDA's runtime of torchada, which serves it. Other libraries take their memory from
  // the runtime or the driver, so that they alone are of no use. Of judge().
  bool works = false;
  bool blind = false;  // It takes a machine without NVIDIA's driver for one without a GPU.
  // It compiles device code with NVRTC, or something that it loads does: then the device code that
  // it loads at run time is what torchada's NVRTC made.
  bool compiles = false;
  std::string code;  // That it loads device code at run time, if nothing of its own compiles it.
  std::vector<NamedFile> nvidia_devices;  // Files of GPUs whose existence it tests.
  DeviceCode device;
  std::vector<int> launches;  // Lines of a source that contain <<< or declare a kernel.

  // For later steps, not for output.
  std::vector<PythonImport> imports;
  std::vector<std::string> computed_imports;  // As for `unexamined`.
  std::vector<std::string> computed_libraries;
  std::vector<NamedFile> files;            // That it may open.
  std::vector<std::string> located;        // As in PythonSource.
  std::vector<std::string> plugin_groups;  // As in PythonSource.
  std::vector<std::string> needed;         // All NEEDED entries.
  bool for_this_machine = true;
  bool is_python = false;
  bool is_program = false;  // An ELF file that the kernel starts, or a Python source.
  bool named = false;       // Named by the user, not found in a directory.
  bool in_named = false;    // The same, or in an archive that the user named.
  bool in_archive = false;
};

struct Options {
  int abi = 12;          // For names without a major.
  bool kernels = false;  // Whether the kernels' names are read.
  // Where to look for them. Null: nowhere.
  const KernelLibraries* kernel_libraries = nullptr;
  std::string python_path;  // Directories of modules, separated by colons.
  std::string python;       // The interpreter whose packages count. Empty: that of each script.
};

// Whether the device code of NVIDIA's own libraries is listed, which nobody can build for MUSA. The
// verdict is the same.
enum class OwnDeviceCode { kSkip, kList };

// The report holds no reference to `bytes`.
Report examine_elf(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options, OwnDeviceCode own_code = OwnDeviceCode::kList);
Report examine_source(const std::string& path, std::string_view bytes, const Standings& standings,
                      const Options& options);
// Sets verdict, reasons (worst first), remedies, `stops`, `works`, `blind`, `compiles` and `code`
// from the other members. A part of a program is judged without `code`: another part may compile
// what it loads.
enum class Whose { kProgram, kPart };
void judge(Report& report, Whose whose = Whose::kProgram);

// The verdict on `code` alone.
Verdict verdict_on_code(const Options& options);

// What becomes of a symbol: its standing in the tables, but for a launch that the named kernel
// libraries serve; "missing" if no library has it.
std::string_view standing_of(const Report& report, const NeededSymbol& symbol);
bool served_by_kernel_libraries(const Report& report, const NeededSymbol& symbol);

// The first function to which the file passes device code; empty if there is none.
std::string loads_code(const Report& report);

// Whether the file itself compiles device code, with NVRTC.
bool compiles_code(const Report& report);

// Adds an entry, or returns the one that is known. `name` may be a path.
OtherNeeded& other_of(Report& report, const std::string& name, const OtherLibrary& library);
void add_function(OtherNeeded& other, const std::string& name, int line);  // Line 0: none.

// Examines a file of any kind. Returns one report, or for an archive one for each relevant member.
// Returns none if there is nothing to check, except when `named`: the user wrote this name.
std::vector<Report> examine_file(const std::string& path, bool named, const Standings& standings,
                                 const Options& options);
// The same for bytes. `depth` counts archives within archives.
void examine_bytes(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options, int depth, std::vector<Report>& out);

struct Result {
  std::vector<Report> reports;
  std::vector<std::string> files;  // Those that were examined.
  // If the user named a program and a directory, the program decides: a file of the directory
  // counts as far as the program loads it.
  Verdict whole() const;
  bool names_program() const;
};

// Examines the paths and all files below them, `jobs` at a time. What they load is not followed,
// and nothing is judged.
Result examine_paths(const std::vector<std::string>& paths, const Standings& standings,
                     const Options& options, std::size_t jobs);

struct Shown {
  bool all = false;      // Include files that use nothing from CUDA.
  bool symbols = false;  // Include supported symbols.
};
std::string write_text(const Result& result, const Shown& shown);
nlohmann::ordered_json write_json(const Result& result, const Shown& shown);
nlohmann::ordered_json json_of(const Kernel& kernel);  // As in the whole document.

}  // namespace torchada::check

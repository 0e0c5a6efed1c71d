// torchada check: what a file needs of CUDA, and what becomes of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "other_libraries.h"
#include "standings.h"

namespace torchada::check {

// From best to worst: the whole is the worst of its files.
enum class Verdict {
  kNothing,     // Nothing of CUDA in it.
  kReplaced,    // A library that torchada's stands in for.
  kRuns,        // Everything it needs is supported.
  kAssumed,     // It needs symbols that public evidence does not prove.
  kPartly,      // It needs functions that answer "not supported".
  kKernels,     // It runs until it launches its own kernels.
  kUnreadable,  // Could not be examined.
  kCannot,
};
const char* word_of(Verdict verdict);  // "runs", for programs.

struct NeededSymbol {
  std::string name, version;               // The version node; empty where none is asked for.
  const tables::Symbol* symbol = nullptr;  // Null: the library has no such symbol.
  bool weak = false;
  std::vector<int> lines;  // Of a source.
};

// One of the libraries that torchada has, and what is wanted of it.
struct NeededLibrary {
  std::string asked;  // The name in the file; the SONAME where the file has none.
  const tables::Library* library = nullptr;  // Null: a major that torchada does not have.
  bool listed = false;                       // In the file's NEEDED entries.
  std::vector<NeededSymbol> symbols;         // By name.
};

struct OtherNeeded {
  std::string name;  // As in the file.
  const OtherLibrary* library = nullptr;
  bool listed = false;  // Else opened at run time.
};

struct DeviceImages {
  std::string kind;          // "PTX", "ELF", "kind 4"
  std::string architecture;  // "sm_80", "sm_90a", "compute_90"
  std::uint32_t number = 0;  // Of the architecture: 90.
  std::string flags;         // For ptxas.
  int count = 0;
  int compressed = 0;
};

struct DeviceCode {
  int binaries = 0;
  std::vector<DeviceImages> images;
  std::string damage;
  bool launches = false;             // Kernels are in it, not only data or nothing.
  std::vector<std::string> kernels;  // With --kernels: demangled, by name.
  std::string kernels_from;          // Where the names come from, or why there are none.
};

struct Report {
  std::string path;  // "wheel.whl!lib/x.so" in an archive.
  std::string kind;  // "ELF", "source", "archive", "file"
  Verdict verdict = Verdict::kNothing;
  std::vector<std::string> reasons;  // Of the verdict, worst first.
  std::vector<std::string> remedies;

  std::vector<NeededLibrary> libraries;
  std::vector<OtherNeeded> others;
  std::vector<std::string> opens;  // Libraries of CUDA opened at run time, as in the file.
  std::string soname, rpath, runpath;
  bool static_runtime = false;
  DeviceCode device;
  std::vector<int> launches;  // Lines of a source with <<<.
};

struct Options {
  int abi = 12;  // For what names no major.
  bool kernels = false;
};

// Where the text of a report cannot go: the caller keeps `path` and `bytes`.
Report examine_elf(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options);
Report examine_source(const std::string& path, std::string_view bytes, const Standings& standings,
                      const Options& options);
// Sets verdict, reasons and remedies from everything else.
void judge(Report& report, bool for_this_machine);

// One file of any kind: one report, of an archive one for each member that is worth it. None where
// there is nothing to check; then `named` (the user wrote this name) makes a report of it.
std::vector<Report> examine_file(const std::string& path, bool named, const Standings& standings,
                                 const Options& options);
// The same of bytes; `depth` counts archives in archives.
void examine_bytes(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options, int depth, std::vector<Report>& out);

struct Result {
  std::vector<Report> reports;
  std::size_t files = 0;  // That were looked at.
  Verdict whole() const;
};

struct Shown {
  bool all = false;      // Also what has nothing of CUDA.
  bool symbols = false;  // Also symbols that are supported.
};
std::string write_text(const Result& result, const Shown& shown);
nlohmann::ordered_json write_json(const Result& result, const Shown& shown);

}  // namespace torchada::check

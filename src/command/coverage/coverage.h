// What torchada coverage counts, and the output formats.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "src/command/coverage/check_result.h"
#include "src/command/musa_files.h"
#include "src/command/tables.h"

namespace torchada::coverage {

// Whether a MUSA installation provides what a symbol needs.
enum class Presence {
  kUnknown,  // No installation, or the symbol is not served.
  kPresent,  // Or the symbol needs nothing from MUSA.
  kMissing,
};
const char* presence_name(Presence presence);  // "", "yes", "no"

struct SymbolRow {
  const tables::Symbol* symbol = nullptr;
  const tables::MusaSymbol* target = nullptr;  // Null if the symbol has none.
  Presence presence = Presence::kUnknown;

  std::string reason() const;   // The reason for its standing. May be empty.
  std::string sources() const;  // Sources for the target, separated by spaces.
};

struct LibraryRow {
  const tables::Library* library = nullptr;
  int real = 0;             // Exports of NVIDIA's library.
  std::optional<int> ours;  // NVIDIA's exports that ours has too. None if ours cannot be read.
  std::string error;        // Why it cannot be read.
  std::array<int, kStandings> standings{};  // By Standing.
  std::optional<int> present;  // Supported, assumed or emulated, and found in the installation.
  std::vector<SymbolRow> symbols;
};

struct Coverage {
  const tables::Tables* tables = nullptr;
  std::optional<MusaFiles> musa;
  std::vector<LibraryRow> libraries;
  bool is_complete = true;  // Each of our libraries exists with all its exports.
};

struct Filter {
  std::string library;  // Empty: all.
  std::string abi;
  // These limit the symbols listed; counts include all.
  std::vector<std::string> standings;  // Empty: all.
  int most_used = 0;  // Only the first so many of those that programs use; 0: all symbols.
};

// Reads the tables of the installation at `root` and its libraries. Throws Failure.
Coverage count(const std::string& root, const std::optional<MusaFiles>& musa, const Filter& filter);

Presence presence_in(const MusaFiles& musa, const tables::Tables& tables,
                     const tables::Library& library, const tables::Symbol& symbol);

// "MUSA 5.1.0 in DIR", or that none was found.
std::string described(const std::optional<MusaFiles>& musa);

// `ranked`: each symbol with its rank among those that programs use.
std::string write_text(const Coverage& coverage, bool symbols, bool ranked);
std::string write_json(const Coverage& coverage, bool symbols);
std::string write_csv(const Coverage& coverage, bool symbols);
std::string write_markdown(const Coverage& coverage, bool symbols);
// `program`: what the page shows first.
std::string write_html(const Coverage& coverage, const std::optional<CheckResult>& program);

// ------------------------------------------------------------------------- between two SDKs

struct Change {
  const tables::Library* library = nullptr;
  const tables::Symbol* symbol = nullptr;
  bool gained = false;  // Otherwise lost.
};

std::vector<Change> changes(const tables::Tables& tables, const MusaFiles& before,
                            const MusaFiles& after, const Filter& filter);
std::string write_changes(const std::vector<Change>& changes, const MusaFiles& before,
                          const MusaFiles& after, const std::string& format);

}  // namespace torchada::coverage

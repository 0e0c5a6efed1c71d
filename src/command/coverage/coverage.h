// What torchada coverage counts, and the ways it is written.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "check_result.h"
#include "musa_files.h"
#include "tables.h"

namespace torchada::coverage {

inline constexpr std::array<const char*, 5> kStandings = {"supported", "assumed", "emulated",
                                                          "pending", "unsupported"};

// Whether a MUSA installation has what a symbol needs.
enum class Presence {
  kUnknown,  // No installation, or the symbol is not served anyway.
  kPresent,  // Also where it needs nothing of MUSA.
  kMissing,
};
const char* presence_name(Presence presence);  // "", "yes", "no"

struct SymbolRow {
  const tables::Symbol* symbol = nullptr;
  const tables::MusaSymbol* target = nullptr;  // Null where there is none.
  Presence presence = Presence::kUnknown;

  std::string reason() const;   // Why it stands as it does; may be empty.
  std::string sources() const;  // Of the target, separated by spaces.
};

struct LibraryRow {
  const tables::Library* library = nullptr;
  int real = 0;             // Exports of NVIDIA's.
  std::optional<int> ours;  // Exports of ours that NVIDIA's has too; none where it cannot be read.
  std::string error;        // Why not.
  std::array<int, kStandings.size()> standings{};
  std::optional<int> present;  // Supported, assumed or emulated, and in the installation.
  std::vector<SymbolRow> symbols;
};

struct Coverage {
  tables::Tables tables;
  std::optional<MusaFiles> musa;
  std::vector<LibraryRow> libraries;
  bool is_complete = true;  // Every library of ours is there with all its exports.
};

struct Filter {
  std::string library;  // Empty: all.
  std::string abi;
  std::vector<std::string> standings;  // Empty: all. Of the symbols; counts are of all.
};

// Reads the tables of the installation at `root` and its libraries. Throws Failure.
Coverage count(const std::string& root, const std::optional<MusaFiles>& musa, const Filter& filter);

Presence presence_in(const MusaFiles& musa, const tables::Tables& tables,
                     const tables::Library& library, const tables::Symbol& symbol);

// "MUSA 5.1.0 in DIR" or that there is none.
std::string described(const std::optional<MusaFiles>& musa);

std::string write_text(const Coverage& coverage, bool symbols);
std::string write_json(const Coverage& coverage, bool symbols);
std::string write_csv(const Coverage& coverage, bool symbols);
std::string write_markdown(const Coverage& coverage, bool symbols);
// `program`: what the page shows first.
std::string write_html(const Coverage& coverage, const std::optional<CheckResult>& program);

// ------------------------------------------------------------------------- between two SDKs

struct Change {
  const tables::Library* library = nullptr;
  const tables::Symbol* symbol = nullptr;
  bool gained = false;  // Else lost.
};

std::vector<Change> changes(const tables::Tables& tables, const MusaFiles& before,
                            const MusaFiles& after, const Filter& filter);
std::string write_changes(const std::vector<Change>& changes, const MusaFiles& before,
                          const MusaFiles& after, const std::string& format);

}  // namespace torchada::coverage

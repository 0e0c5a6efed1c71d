#include <algorithm>
#include <unordered_set>

#include "src/command/coverage/coverage.h"
#include "src/command/text_layout.h"
#include "src/inspect/elf_file.h"
#include "src/shared/printable_string.h"

namespace torchada::coverage {
namespace {

bool is_exported(const MusaFiles& musa, const std::string& library, const std::string& name) {
  const auto found = musa.libraries.find(library);
  return found != musa.libraries.end() && found->second.exports.count(name) != 0;
}

std::string link_name(const tables::Tables& tables, const std::string& library,
                      const std::string& name) {
  const tables::MusaSymbol* symbol = tables.musa_symbol(library, name);
  return symbol == nullptr ? name : symbol->link;
}

void count_ours(const std::string& root, LibraryRow* row) {
  std::unordered_set<std::string> names;
  for (const tables::Symbol& symbol : row->library->symbols) names.insert(symbol.name);
  try {
    int count = 0;
    for (const ElfExport& symbol : read_elf_file(row->library->path_in(root)).exports) {
      count += symbol.default_version && names.erase(symbol.name) != 0 ? 1 : 0;
    }
    row->ours = count;
  } catch (const ElfError& error) {
    row->error = error.what();
  }
}

bool is_wanted(const Filter& filter, const tables::Library& library) {
  if (!filter.library.empty() && library.name != filter.library) return false;
  return filter.abi.empty() || library.majors.has(std::stoi(filter.abi));
}

bool is_wanted(const Filter& filter, const tables::Symbol& symbol) {
  if (filter.most_used != 0 && (symbol.rank == 0 || symbol.rank > filter.most_used)) return false;
  return filter.standings.empty() ||
         std::find(filter.standings.begin(), filter.standings.end(),
                   standing_name(symbol.standing)) != filter.standings.end();
}

LibraryRow count_library(const std::string& root, const Coverage& coverage,
                         const tables::Library& library, const Filter& filter) {
  LibraryRow row;
  row.library = &library;
  row.real = static_cast<int>(library.symbols.size());
  count_ours(root, &row);
  if (coverage.musa) row.present = 0;
  for (const tables::Symbol& symbol : library.symbols) {
    ++row.standings[static_cast<std::size_t>(symbol.standing)];
    SymbolRow item;
    item.symbol = &symbol;
    item.target = coverage.tables->target_of(library, symbol);
    if (coverage.musa) {
      item.presence = presence_in(*coverage.musa, *coverage.tables, library, symbol);
      if (item.presence == Presence::kPresent) ++*row.present;
    }
    if (is_wanted(filter, symbol)) row.symbols.push_back(item);
  }
  if (filter.most_used != 0) {
    std::sort(row.symbols.begin(), row.symbols.end(), [](const SymbolRow& a, const SymbolRow& b) {
      return a.symbol->rank < b.symbol->rank;
    });
  }
  return row;
}

}  // namespace

const char* presence_name(Presence presence) {
  constexpr const char* kNames[] = {"", "yes", "no"};
  return kNames[static_cast<int>(presence)];
}

std::string SymbolRow::reason() const {
  std::string out = symbol->because();
  if (!symbol->as.empty()) {
    const std::string same = "the same function as " + symbol->as;
    out = out.empty() ? same : same + ": " + out;
  }
  return out;
}

std::string SymbolRow::sources() const {
  return target == nullptr ? "" : joined(target->sources, " ");
}

namespace {

// Whether this MUSA has what an adapter calls; without one of them, the libraries refuse the call.
// Functions of the runtime are available to adapters of every library.
bool has_all(const MusaFiles& musa, const tables::Tables& tables, const std::string& backend,
             const tables::List<tables::Text>& names, const tables::List<tables::Text>& optional) {
  return std::all_of(names.begin(), names.end(), [&](const tables::Text& name) {
    return optional.has(name) || is_exported(musa, backend, link_name(tables, backend, name)) ||
           is_exported(musa, "musart", name);
  });
}

}  // namespace

Presence presence_in(const MusaFiles& musa, const tables::Tables& tables,
                     const tables::Library& library, const tables::Symbol& symbol) {
  if (is_refused(symbol.standing)) return Presence::kUnknown;
  const bool fits = musa.version == 0 || symbol.sdk.empty() ||
                    std::any_of(symbol.sdk.begin(), symbol.sdk.end(),
                                [&](const auto& range) { return range.contains(musa.version); });
  if (symbol.target.empty() || !symbol.calls.empty()) {
    const bool has = has_all(musa, tables, library.backend, symbol.calls, symbol.optional_calls);
    return has && fits ? Presence::kPresent : Presence::kMissing;
  }
  if (symbol.has_other_way && has_all(musa, tables, library.backend, symbol.otherwise_calls,
                                      symbol.optional_otherwise_calls)) {
    return Presence::kPresent;
  }
  const std::string name = link_name(tables, library.backend, symbol.target);
  return fits && is_exported(musa, library.backend, name) ? Presence::kPresent : Presence::kMissing;
}

std::string described(const std::optional<MusaFiles>& musa) {
  if (!musa) return "no MUSA found";
  const std::string what = musa->is_stand_in ? "the CPU stand-in for MUSA" : "MUSA";
  return printable(what + (musa->sdk.empty() ? " (unknown version)" : " " + musa->sdk) + " in " +
                   musa->root);
}

Coverage count(const std::string& root, const std::optional<MusaFiles>& musa,
               const Filter& filter) {
  Coverage out;
  out.tables = &tables::read(root);
  out.musa = musa;
  // Moving `out` keeps the rows valid: they point into lists whose elements do not move.
  for (const tables::Library& library : out.tables->libraries) {
    if (!is_wanted(filter, library)) continue;
    out.libraries.push_back(count_library(root, out, library, filter));
    const LibraryRow& row = out.libraries.back();
    if (!row.ours || *row.ours != row.real) out.is_complete = false;
  }
  return out;
}

std::vector<Change> changes(const tables::Tables& tables, const MusaFiles& before,
                            const MusaFiles& after, const Filter& filter) {
  std::vector<Change> out;
  for (const tables::Library& library : tables.libraries) {
    if (!is_wanted(filter, library)) continue;
    for (const tables::Symbol& symbol : library.symbols) {
      if (!is_wanted(filter, symbol)) continue;
      const Presence first = presence_in(before, tables, library, symbol);
      const Presence second = presence_in(after, tables, library, symbol);
      if (first != second) out.push_back({&library, &symbol, second == Presence::kPresent});
    }
  }
  return out;
}

}  // namespace torchada::coverage

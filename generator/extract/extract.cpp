#include "generator/extract/extract.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>

#include "generator/extract/assemble_cuda.h"
#include "generator/extract/compare_cuda.h"
#include "generator/extract/cuda_tables_write.h"
#include "generator/extract/extract_cuda.h"
#include "generator/extract/extract_entry_points.h"
#include "generator/extract/extract_musa.h"
#include "generator/tables/musa_tables.h"

namespace torchada {
namespace {

constexpr int kDone = 0;
constexpr int kDifferent = 1;
constexpr int kUnusable = 2;

void report_counts(const CudaLibrary& library, std::ostream& out) {
  for (const CudaRelease& release : library.releases) {
    int exported = 0;
    int with_prototype = 0;
    for (const auto& [name, symbol] : library.symbols) {
      const auto has = [&](const std::vector<std::string>& releases) {
        return std::find(releases.begin(), releases.end(), release.name) != releases.end();
      };
      if (!has(symbol.releases)) continue;
      ++exported;
      for (const CudaSymbol::Variant& variant : symbol.prototypes) {
        with_prototype += has(variant.releases) ? 1 : 0;
      }
    }
    out << library.name << " " << release.name << ": " << exported << " exports, " << with_prototype
        << " with a prototype, " << exported - with_prototype << " without\n";
  }
}

// The library whose functions programs ask for by name and version, or null.
const ReplacementLibrary* library_with_entry_points(
    const std::vector<ReplacementLibrary>& libraries) {
  const auto found =
      std::find_if(libraries.begin(), libraries.end(),
                   [](const ReplacementLibrary& library) { return !library.entry_points.empty(); });
  return found == libraries.end() ? nullptr : &*found;
}

// Of the releases at `roots`. `known` tells versions that none of them states.
EntryPoints extract_entry_points(const ReplacementLibrary& library, const CudaReleases& releases,
                                 const std::vector<CudaReleaseRoots>& roots,
                                 const EntryPoints& known) {
  std::vector<std::pair<std::string, EntryPoints>> facts;
  for (const CudaReleases::Release& release : releases.releases) {
    for (const CudaReleaseRoots& given : roots) {
      if (given.name != release.name) continue;
      try {
        facts.emplace_back(release.name,
                           read_release_entry_points(find_sdk_folders(given.roots),
                                                     library.entry_points, library.defines));
      } catch (const std::runtime_error& error) {
        throw ExtractError("release " + release.name + ": " + error.what());
      }
    }
  }
  return join_entry_points(facts, known);
}

int write_tables(const std::string& folder, const CudaReleases& releases,
                 const std::vector<ReplacementLibrary>& libraries,
                 const std::vector<CudaReleaseRoots>& roots, std::ostream& out) {
  const std::vector<ReleaseFacts> facts = read_cuda_facts(roots, releases, libraries);
  if (facts.size() != releases.releases.size()) {
    throw ExtractError("every release of " + releases.file + " must be given exactly once");
  }
  for (const CudaLibrary& library : assemble_cuda(facts, releases, libraries, {})) {
    write_text_file(folder + library.name + ".yaml", cuda_library_text(library, releases));
    report_counts(library, out);
  }
  if (const ReplacementLibrary* library = library_with_entry_points(libraries)) {
    const EntryPoints names = extract_entry_points(*library, releases, roots, {});
    write_text_file(folder + kEntryPointsFile, entry_points_text(library->name, names));
    out << library->name << ": " << names.size() << " names that programs ask for\n";
  }
  return kDone;
}

int compare_with_tables(const std::string& folder, const CudaReleases& releases,
                        const std::vector<ReplacementLibrary>& all,
                        const std::vector<CudaReleaseRoots>& roots, std::ostream& out) {
  if (roots.empty()) throw ExtractError("no release to compare");
  const std::vector<ReplacementLibrary> libraries = libraries_with_headers(all, roots, out);
  std::vector<CudaLibrary> tables;
  for (const ReplacementLibrary& library : libraries) {
    tables.push_back(read_cuda_library(folder + library.name + ".yaml", releases));
  }
  const std::vector<CudaLibrary> extracted =
      assemble_cuda(read_cuda_facts(roots, releases, libraries), releases, libraries, tables);
  std::size_t count = 0;
  for (std::size_t index = 0; index < tables.size(); ++index) {
    for (const std::string& line : compare_cuda(tables[index], extracted[index])) {
      out << line << "\n";
      ++count;
    }
  }
  if (const ReplacementLibrary* library = library_with_entry_points(libraries)) {
    const EntryPoints known = read_entry_points(folder + kEntryPointsFile, releases).names;
    std::vector<std::string> names;
    for (const CudaReleaseRoots& given : roots) names.push_back(given.name);
    for (const std::string& line : compare_entry_points(
             known, extract_entry_points(*library, releases, roots, known), names)) {
      out << line << "\n";
      ++count;
    }
  }
  out << count << (count == 1 ? " difference\n" : " differences\n");
  return count == 0 ? kDone : kDifferent;
}

void report_installation(const MusaFacts& facts, std::ostream& out) {
  out << "MUSA SDK " << facts.release.name << "\n";
  for (const std::string& note : facts.release.notes) out << "note: " << note << "\n";
  for (const LibraryFacts& library : facts.release.libraries) {
    out << library.name << ": SONAME " << (library.soname.empty() ? "none" : library.soname)
        << ", version node " << (library.node.empty() ? "none" : library.node) << ", "
        << library.exports.size() << " exports, " << library.declared.size() << " declared, needs";
    for (const std::string& needed : library.needed) out << " " << needed;
    out << "\n";
  }
}

int compare_installation(const ExtractMusaOptions& options, const MusaFacts& facts,
                         const std::vector<MusaLibrary>& tables, std::ostream& out) {
  std::map<std::string, int> counts;
  for (const MusaLibrary& extracted : tables) {
    const MusaLibrary table =
        read_musa_library(options.mappings + "/musa/" + extracted.name + ".yaml");
    const MusaComparison comparison =
        compare_musa(table, extracted, tables, facts.version, options.expand);
    for (const std::string& line : comparison.lines) out << line << "\n";
    for (const auto& [kind, count] : comparison.counts) counts[kind] += count;
  }
  int total = 0;
  for (const auto& [kind, count] : counts) {
    out << kind << ": " << count << "\n";
    total += count;
  }
  out << total << (total == 1 ? " difference\n" : " differences\n");
  return total == 0 ? kDone : kDifferent;
}

}  // namespace

int run_extract_cuda(const ExtractCudaOptions& options, std::ostream& out, std::ostream& error) {
  try {
    const std::string folder = options.mappings + "/cuda/";
    const CudaReleases releases = read_cuda_releases(folder + "releases.yaml");
    const std::vector<ReplacementLibrary> libraries =
        read_registry(options.mappings + "/libraries.yaml").libraries;
    std::vector<CudaReleaseRoots> roots;
    for (const std::string& text : options.releases) roots.push_back(parse_release_roots(text));
    if (options.compare) return compare_with_tables(folder, releases, libraries, roots, out);
    return write_tables(folder, releases, libraries, roots, out);
  } catch (const std::exception& failure) {
    error << failure.what() << "\n";
    return kUnusable;
  }
}

int run_extract_musa(const ExtractMusaOptions& options, std::ostream& out, std::ostream& error) {
  try {
    const MusaFacts facts = read_musa_facts(options.roots, options.sdk_version, options.backends);
    const std::vector<MusaLibrary> tables = musa_tables_of(facts);
    report_installation(facts, out);
    if (!options.out.empty()) {
      std::filesystem::create_directories(options.out);
      for (std::size_t index = 0; index < tables.size(); ++index) {
        write_text_file(
            options.out + "/" + tables[index].name + ".yaml",
            musa_library_text(tables[index], facts.release.libraries[index], facts.version));
      }
    }
    if (options.mappings.empty()) return kDone;
    return compare_installation(options, facts, tables, out);
  } catch (const std::exception& failure) {
    error << failure.what() << "\n";
    return kUnusable;
  }
}

}  // namespace torchada

// Changes one number of mappings/, compares with real headers as `torchada-gen extract --compare`
// does, and expects a complaint. Then tries the next number.
//
//  mutate_tables cuda MAPPINGS [options] RELEASE=FOLDER[:FOLDER...]...
//  mutate_tables cuda MAPPINGS [options] TOOLKIT    the release is read from its headers
//  mutate_tables musa MAPPINGS [options] TREE...
//
//  --library NAME with cuda: only this library's table; the others' headers are not needed
//  --known FILE   numbers that no header can confirm, with lines "LIBRARY TYPE[.MEMBER]: reason"
//
// Exit status: 0 all were noticed (except the known ones), 1 some were not, 2 could not run, 77
// (skipped, for ctest) a directory is missing.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>

#include "generator/extract/clang_headers.h"
#include "generator/extract/sdk_folders.h"
#include "generator/tables/cuda_tables.h"
#include "generator/tables/registry.h"
#include "tests/mutation/table_cells.h"

namespace {

namespace fs = std::filesystem;
using mutation::Cell;
using mutation::Cells;

constexpr int kSurvivors = 1, kUnusable = 2, kSkipped = 77;

struct Options {
  std::string kind, mappings, known, library;
  std::vector<std::string> sources;
};

Options parse(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 3) throw std::runtime_error("usage: mutate_tables cuda|musa MAPPINGS [...]");
  Options out;
  out.kind = words[0];
  out.mappings = words[1];
  for (std::size_t i = 2; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--library" && has_value) {
      out.library = words[++i];
    } else if (words[i] == "--known" && has_value) {
      out.known = words[++i];
    } else if (words[i].starts_with("--")) {
      throw std::runtime_error("unknown option " + words[i]);
    } else {
      out.sources.push_back(words[i]);
    }
  }
  return out;
}

// Maps "LIBRARY TYPE" or "LIBRARY TYPE.MEMBER" to the reason.
std::map<std::string, std::string> read_known(const std::string& file) {
  std::map<std::string, std::string> out;
  if (file.empty()) return out;
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || colon + 2 >= line.size()) {
      throw std::runtime_error(file + ": no reason: " + line);
    }
    if (!out.emplace(line.substr(0, colon), line.substr(colon + 2)).second) {
      throw std::runtime_error(file + ": twice: " + line);
    }
  }
  return out;
}

// The entry that excuses a cell, or "".
std::string excuse(const std::map<std::string, std::string>& known, const Cell& cell) {
  const std::string type = cell.library + " " + cell.type;
  for (const std::string& entry : {type + "." + cell.member, type}) {
    if (known.count(entry) != 0) return entry;
  }
  return "";
}

// Why a directory cannot be compared; empty if it can. Puts the release in front of a toolkit's
// path.
std::string objection(const Options& options, std::string* source) {
  std::string folder = source->substr(source->find('=') + 1);
  folder.resize(std::min(folder.size(), folder.find(':')));
  if (!fs::is_directory(folder)) return "no folder " + folder;
  if (options.kind != "cuda" || source->find('=') != std::string::npos) return "";
  const torchada::SdkFolders folders = torchada::find_sdk_folders({folder});
  std::ifstream in(torchada::find_header("cuda_runtime_api.h", folders.include));
  const std::string marker = "#define CUDART_VERSION";
  std::string line;
  while (std::getline(in, line) && !line.starts_with(marker)) {
  }
  const int version = in ? std::atoi(line.c_str() + marker.size()) : 0;
  const std::string release =
      std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  const auto releases = torchada::read_cuda_releases(options.mappings + "/cuda/releases.yaml");
  if (releases.index_of(release) < 0) {
    return "the toolkit at " + folder + " is '" + release + "', no release of the tables";
  }
  for (const torchada::ReplacementLibrary& library :
       torchada::read_registry(options.mappings + "/libraries.yaml").libraries) {
    if (library.exports_declared) continue;
    if (!torchada::find_library(library.stem, folders.library).empty()) continue;
    return "the toolkit at " + folder + " has no " + library.stem;
  }
  *source = release + "=" + folder;
  return "";
}

int run(Options options) {
  for (std::string& source : options.sources) {
    const std::string why = objection(options, &source);
    if (why.empty()) continue;
    std::cout << "SKIPPED: " << why << "; the numbers of mappings/" << options.kind
              << " were not tried\n";
    return kSkipped;
  }
  const Cells all = options.kind == "cuda"
                        ? mutation::cuda_cells(options.mappings, options.sources, options.library)
                        : mutation::musa_cells(options.mappings, options.sources);
  const std::map<std::string, std::string> known = read_known(options.known);
  std::cout << all.cells.size() << " numbers in mappings/" << options.kind;
  if (all.elsewhere != 0) {
    std::cout << "; NOT TRIED: " << all.elsewhere << " of releases that were not given";
  }
  std::cout << "\n";
  std::size_t died = 0, excused = 0, survived = 0;
  std::set<std::string> needed;
  for (const Cell& cell : all.cells) {
    if (cell.is_dead()) {
      ++died;
      continue;
    }
    const std::string entry = excuse(known, cell);
    if (entry.empty()) {
      ++survived;
      std::cout << "survived: " << cell.text() << "\n";
    } else {
      ++excused;
      needed.insert(entry);
    }
  }
  for (const auto& [entry, reason] : known) {
    if (needed.count(entry) != 0) continue;
    ++survived;
    std::cout << "no survivor, but in the list of them: " << entry << "\n";
  }
  std::cout << all.cells.size() << " tried, " << died << " died, " << excused
            << " known to survive, " << survived << " survived\n";
  if (died == 0) throw std::runtime_error("nothing died: the comparison compares nothing");
  return survived == 0 ? 0 : kSurvivors;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(parse(count, arguments));
  } catch (const std::exception& error) {
    std::cerr << "mutate_tables: " << error.what() << "\n";
    return kUnusable;
  }
}

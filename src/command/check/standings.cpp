#include "src/command/check/standings.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "src/command/check/other_libraries.h"
#include "src/command/command.h"

namespace torchada::check {
namespace {

constexpr std::string_view kFormat = "1";
constexpr std::size_t kUsualNames = 4096;

std::string path_below(const std::string& root) { return root + "/share/check.tsv"; }

MappedFile map_table(const std::string& path) {
  try {
    return MappedFile(path);
  } catch (const std::runtime_error&) {
    throw Failure(path + " cannot be read: the installation is incomplete; reinstall torchada");
  }
}

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

// Takes the first line from `text`.
void next_line(std::string_view& text, std::vector<std::string_view>& out) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) fail("its last line has no end");
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  out.clear();
  for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) {
    out.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  out.push_back(line);
}

std::set<int> majors_in(std::string_view text) {
  std::set<int> out;
  while (!text.empty()) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) fail("\"" + std::string(text) + "\" is no CUDA major");
    out.insert(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty()) text.remove_prefix(1);
  }
  return out;
}

}  // namespace

Standings::Standings(const std::string& root) : file_(map_table(path_below(root))) {
  try {
    read(file_.bytes());
  } catch (const std::runtime_error& error) {
    throw Failure(path_below(root) + " is damaged: " + error.what() + "; reinstall torchada");
  }
  for (const Library& library : libraries_) {
    LibraryName& name = names_.emplace_back();
    parse_library_name(library.soname.c_str(), &name);
  }
  for (int i = 0; const OtherLibrary* other = other_library(i); ++i) {
    if (*other->prefix != '\0') begin_name(other->prefix);
  }
}

void Standings::read(std::string_view text) {
  constexpr std::string_view kEnd = "#end\n";
  if (!text.ends_with(kEnd)) fail("its end is missing");
  text.remove_suffix(kEnd.size());
  all_.reserve(kUsualNames);
  bool in_refused = false;
  Columns columns;
  next_line(text, columns);
  if (columns.size() != 2 || columns[0] != "#torchada-check" || columns[1] != kFormat) {
    fail("it belongs to another version of torchada");
  }
  while (!text.empty()) {
    next_line(text, columns);
    if (columns[0] == "#refused") {
      in_refused = true;
    } else if (columns[0].starts_with('#')) {
      add_library(columns);
    } else {
      in_refused ? add_refused(columns) : add_symbol(columns);
      begin_name(columns[0]);
    }
  }
  if (libraries_.empty()) fail("it lists no library");
}

void Standings::add_refused(const Columns& columns) {
  if (columns.size() != 2) fail("a line about a value has not two columns");
  refused_.emplace(columns[0], columns[1]);
}

void Standings::add_symbol(const Columns& columns) {
  if (columns.size() != 4 || libraries_.empty()) fail("a line about a symbol has not four columns");
  std::vector<Symbol>& symbols = libraries_.back().symbols;
  if (!symbols.empty() && symbols.back().name >= columns[0]) fail("its names are not sorted");
  symbols.push_back({columns[0], columns[1], columns[2], columns[3]});
  all_.insert(columns[0]);
}

void Standings::add_library(const Columns& columns) {
  if (columns[0] != "#library" || columns.size() != 4) fail("a line about a library is damaged");
  Library& library = libraries_.emplace_back();
  library.name = columns[1];
  library.soname = columns[2];
  library.majors = majors_in(columns[3]);
}

void Standings::begin_name(std::string_view name) {
  if (name.size() < 2) fail("a name has less than two letters");
  beginnings_.add(name);
}

bool Standings::same_stem(const std::string& one, const std::string& other) {
  LibraryName first;
  LibraryName second;
  return parse_library_name(base_name(one.c_str()), &first) &&
         parse_library_name(base_name(other.c_str()), &second) &&
         std::string_view(first.stem, first.stem_length) ==
             std::string_view(second.stem, second.stem_length);
}

Standings::Named Standings::named(const std::string& file_name, int abi) const {
  Named out;
  LibraryName name;
  if (!parse_library_name(base_name(file_name.c_str()), &name)) return out;
  const std::string_view stem(name.stem, name.stem_length);
  for (std::size_t at = 0; at < libraries_.size(); ++at) {
    const LibraryName& own = names_[at];
    if (own.stem == nullptr || std::string_view(own.stem, own.stem_length) != stem) continue;
    out.ours = true;
    out.renamed = name.renamed;
    const bool same =
        name.version == nullptr ? libraries_[at].majors.count(abi) != 0 : own.same_major(name);
    if (same) out.library = &libraries_[at];
  }
  return out;
}

const Symbol* Standings::find(const Library& library, std::string_view name) {
  const auto found = std::lower_bound(
      library.symbols.begin(), library.symbols.end(), name,
      [](const Symbol& symbol, std::string_view text) { return symbol.name < text; });
  return found == library.symbols.end() || found->name != name ? nullptr : &*found;
}

const Library* Standings::owner(std::string_view name, int abi) const {
  if (!knows(name)) return nullptr;
  for (const Library& library : libraries_) {
    if (library.majors.count(abi) != 0 && find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

const Library* Standings::any_owner(std::string_view name, int abi) const {
  if (const Library* out = owner(name, abi); out != nullptr || !knows(name)) return out;
  for (const Library& library : libraries_) {
    if (find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

bool Standings::in_runtime(std::string_view name) const {
  return std::any_of(libraries_.begin(), libraries_.end(), [name](const Library& library) {
    return library.name == "cudart" && find(library, name) != nullptr;
  });
}

const std::string_view* Standings::refused(std::string_view enumerator) const {
  if (!may_know(enumerator)) return nullptr;
  const auto found = refused_.find(enumerator);
  return found == refused_.end() ? nullptr : &found->second;
}

}  // namespace torchada::check

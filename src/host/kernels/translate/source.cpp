#include "src/host/kernels/translate/source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace kernels {
namespace {

constexpr std::string_view kDynamicInitialiser = "dynamic initialization is not supported for";

// The text without what it says, with its line ends.
std::string only_lines(const std::string& text) {
  return std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
}

}  // namespace

Source::Source(const Settings& settings, std::string path)
    : settings_(settings), path_(std::move(path)), index_(clang_createIndex(0, 0)) {
  parse();
  if (unit_ == nullptr) {
    errors_.push_back({{path_}, "libclang cannot read it"});
    return;
  }
  find_files();
  report_diagnostics();
  if (!errors_.empty()) return;
  edit_includes();
  const CXCursor all = clang_getTranslationUnitCursor(unit_);
  edit_names(all);
  edit(all, false);
  Facts ignored;
  for (const CXCursor& child : own_children(all)) collect(child, &ignored);
  cut_hidden_lines();
  check_kernels();
  copy_plain_kernels();
  check_warp_sizes();
}

Source::~Source() {
  if (unit_ != nullptr) clang_disposeTranslationUnit(unit_);
  clang_disposeIndex(index_);
}

std::vector<CXCursor> Source::own_children(CXCursor cursor) const {
  std::vector<CXCursor> children = children_of(cursor);
  if (kind_of(cursor) != CXCursor_TranslationUnit) return children;
  std::erase_if(children, [&](CXCursor child) { return !is_ours(start_of(child).file); });
  return children;
}

std::vector<std::string> Settings::flags() const {
  // By its path: a name alone would be looked for in the working folder first.
  std::vector<std::string> all = {"-include", headers + "/cuda/torchada_device.h"};
  all.insert(all.end(), {"-std=" + standard, "-w", "-I" + headers + "/cuda",
                         "-DTORCHADA_WARP_SIZE=" + std::to_string(warp_size)});
  all.insert(all.end(), compiler_flags.begin(), compiler_flags.end());
  return all;
}

void Source::parse() {
  std::vector<std::string> flags = settings_.flags();
  flags.insert(flags.end(), {"-xcuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                             "--cuda-gpu-arch=sm_70", "-ferror-limit=0", "-DTORCHADA_PARSE"});
  // Clang's own headers; otherwise where libclang looks.
  if (std::filesystem::exists(TORCHADA_CLANG_RESOURCE_DIR)) {
    flags.insert(flags.end(), {"-resource-dir", TORCHADA_CLANG_RESOURCE_DIR});
  }
  std::vector<const char*> arguments;
  for (const std::string& flag : flags) arguments.push_back(flag.c_str());
  std::vector<CXUnsavedFile> changed;
  for (const auto& [file, text] : contents_) {
    changed.push_back({file.c_str(), text.c_str(), text.size()});
  }
  if (unit_ != nullptr) clang_disposeTranslationUnit(unit_);
  unit_ = clang_parseTranslationUnit(
      index_, path_.c_str(), arguments.data(), static_cast<int>(arguments.size()), changed.data(),
      static_cast<unsigned int>(changed.size()), CXTranslationUnit_DetailedPreprocessingRecord);
}

// The program's own files: not the system's, a toolkit's or ours.
void Source::find_files() {
  std::vector<CXFile> files = {clang_getFile(unit_, path_.c_str())};
  for (const CXCursor& cursor : children_of(clang_getTranslationUnitCursor(unit_))) {
    if (CXFile included = clang_getIncludedFile(cursor)) files.push_back(included);
  }
  bool changed = false;
  for (CXFile file : files) {
    const std::string name = text_of(clang_getFileName(file));
    std::size_t size = 0;
    const char* const bytes = clang_getFileContents(unit_, file, &size);
    // A pragma in the file may say that it is the system's.
    const CXSourceLocation end =
        clang_getLocationForOffset(unit_, file, static_cast<unsigned int>(size));
    const auto beside = std::filesystem::path(name).parent_path() / "cuda_runtime_api.h";
    if (bytes == nullptr || is_ours(name) ||
        (name != path_ && (is_own_header(name) || clang_Location_isInSystemHeader(end) != 0 ||
                           std::filesystem::exists(beside)))) {
      continue;
    }
    std::string text(bytes, size);
    // A line of ours will precede it.
    if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.replace(0, 3, "   ");
    contents_[name] = without_instantiations(name, text);
    changed = changed || contents_[name] != text;
  }
  if (changed) parse();
}

// Errors in host code do not matter, and those in device code are the compiler's. But without a
// file, nothing is right, and the CPU's compiler would compute initialisers when the image is
// loaded.
void Source::report_diagnostics() {
  for (unsigned int i = 0; i < clang_getNumDiagnostics(unit_); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit_, i);
    const std::string text = text_of(clang_getDiagnosticSpelling(diagnostic));
    const Place place = place_of(clang_getDiagnosticLocation(diagnostic));
    const bool refused = text.find(kRefused) != std::string::npos;
    const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    if (refused) {
      refuse(where_included(place), text.substr(text.find(kRefused) + kRefused.size()));
    } else if (is_hidden(place) && severity >= CXDiagnostic_Error) {
      hidden_errors_.push_back({place, text});
    } else if (severity == CXDiagnostic_Fatal || text.starts_with(kDynamicInitialiser)) {
      errors_.push_back({place, text});
    } else if (severity == CXDiagnostic_Error && is_ours(place.file)) {
      found_wrong_.push_back(place);
    }
    clang_disposeDiagnostic(diagnostic);
  }
}

Place Source::place_of_function(const std::string& mangled) const {
  std::vector<CXCursor> left = own_children(clang_getTranslationUnitCursor(unit_));
  while (!left.empty()) {
    const CXCursor cursor = left.back();
    left.pop_back();
    if (is_function(cursor) && mangled_name(cursor) == mangled) return name_place(cursor);
    if (clang_isDeclaration(kind_of(cursor)) == 0) continue;
    const auto children = children_of(cursor);
    left.insert(left.end(), children.begin(), children.end());
  }
  return {};
}

// Where the program includes a header, perhaps through others.
Place Source::where_included(Place place) const {
  std::map<std::string, Place> includes;  // the first of each file
  for (const CXCursor& cursor : children_of(clang_getTranslationUnitCursor(unit_))) {
    if (CXFile included = clang_getIncludedFile(cursor)) {
      includes.emplace(text_of(clang_getFileName(included)), start_of(cursor));
    }
  }
  while (!is_ours(place.file) && includes.count(place.file) != 0) place = includes[place.file];
  return place;
}

void Source::refuse(const Place& place, const std::string& what) {
  const bool told = std::any_of(errors_.begin(), errors_.end(), [&](const Message& error) {
    return error.place.line == place.line && error.place.file == place.file;
  });
  if (!told) errors_.push_back({place, what + ": not supported by the CPU stand-in"});
}

void Source::replace(const std::string& file, unsigned int begin, unsigned int end,
                     const std::string& by) {
  if (!is_ours(file) || end < begin || (end == begin && by.empty())) return;
  Edit& edit = edits_[file].try_emplace(begin, Edit{end, by}).first->second;
  if (end > edit.end) edit = {end, by};
}

void Source::edit_includes() {
  for (const CXCursor& cursor : own_children(clang_getTranslationUnitCursor(unit_))) {
    const Place start = start_of(cursor);
    const std::string macro = name_of(cursor);
    if (kind_of(cursor) == CXCursor_MacroExpansion &&
        (macro.rfind("NV_IF_", 0) == 0 || macro.rfind("NV_DISPATCH_", 0) == 0)) {
      // libcu++ takes what it has for CPUs; the program's own choice would be wrong.
      refuse(start, macro);
    }
    CXFile included = clang_getIncludedFile(cursor);
    if (included == nullptr) continue;
    const std::string name = text_of(clang_getFileName(included));
    if (!is_ours(name)) continue;
    replace(start.file, start.offset, end_of(cursor).offset, "#include \"" + copy_of(name) + "\"");
  }
}

// The compiler gets the source without them.
void Source::cut_hidden_lines() {
  if (settings_.hidden_line == 0) return;
  CXFile file = clang_getFile(unit_, path_.c_str());
  const Place begin = place_of(clang_getLocation(unit_, file, settings_.hidden_line, 1));
  Edits& edits = edits_[path_];
  edits.erase(edits.lower_bound(begin.offset), edits.end());
  replace(path_, begin.offset, static_cast<unsigned int>(contents_.at(path_).size()), "");
}

std::string Source::copy_of(const std::string& file) const {
  const auto number = std::distance(contents_.begin(), contents_.find(file));
  const std::string base = std::filesystem::path(file).filename();
  return std::to_string(number) + "_" + base + (file == path_ ? ".cpp" : "");
}

std::string Source::write(const std::string& folder) const {
  for (const auto& [file, text] : contents_) {
    std::ofstream out(folder + "/" + copy_of(file), std::ios::binary);
    out << "#line 1 \"" << file << "\"\n";
    unsigned int at = 0;
    const auto edits = edits_.find(file);
    for (const auto& [begin, edit] : edits != edits_.end() ? edits->second : Edits()) {
      if (begin < at) continue;  // inside of one that came before
      const std::string lines = only_lines(text.substr(begin, edit.end - begin));
      out << text.substr(at, begin - at) << edit.by
          << lines.substr(std::min(lines.size(), only_lines(edit.by).size()));
      at = edit.end;
    }
    out << text.substr(at);
    if (file != path_) continue;
    out << "\n#line 1 \"" << file << "\"\n";
    int number = 0;
    for (const Kernel& kernel : kernels_) {
      std::string copy = kernel.expression;
      copy.insert(std::min(copy.find('<'), copy.size()), "__torchada_copy");
      copy = kernel.is_plain ? "TORCHADA_BLOCKS((&" + copy + "))" : "TORCHADA_EACH()";
      out << "#line " << kernel.place.line << " \"" << kernel.place.file << "\"\n"
          << "TORCHADA_KERNEL(" << number++ << ", \"" << kernel.mangled << "\", "
          << kernel.max_threads << ", " << kernel.shared_size << ", (&" << kernel.expression
          << "), " << copy << ", " << kernel.type << ")\n";
    }
    number = 0;
    for (const Variable& variable : variables_) {
      out << "TORCHADA_VARIABLE(" << number++ << ", \"" << variable.mangled << "\", "
          << variable.expression << ", " << variable.constant << ")\n";
    }
  }
  return folder + "/" + copy_of(path_);
}

}  // namespace kernels

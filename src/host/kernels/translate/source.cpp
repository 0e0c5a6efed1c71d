#include "src/host/kernels/translate/source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "src/host/kernels/translate/instantiations.h"

namespace kernels {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text without what it says, with its line ends.
std::string only_lines(const std::string& text) {
  return std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
}

bool is_under(const std::string& file, const std::string& folder) {
  return file.compare(0, folder.size() + 1, folder + "/") == 0;
}

}  // namespace

Source::Source(const Settings& settings, std::string path)
    : settings_(settings), path_(std::move(path)), index_(clang_createIndex(0, 0)) {
  contents_[path_] = without_instantiations(read_file(path_));
  parse();
  if (unit_ == nullptr) {
    errors_.push_back({path_, 0, "libclang cannot read it"});
    return;
  }
  find_files();
  report_diagnostics();
  if (!errors_.empty()) return;
  edit_includes();
  const CXCursor all = clang_getTranslationUnitCursor(unit_);
  edit(all, false);
  Facts ignored;
  for_each_child(all, [&](CXCursor child) {
    if (is_ours(start_of(child).file)) collect(child, &ignored);
  });
  check_kernels();
  check_warp_sizes();
}

Source::~Source() {
  if (unit_ != nullptr) clang_disposeTranslationUnit(unit_);
  clang_disposeIndex(index_);
}

void Source::parse() {
  std::vector<std::string> flags = {"-xcuda",
                                    "--cuda-device-only",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "-w",
                                    "--cuda-gpu-arch=sm_70",
                                    "-ferror-limit=0",
                                    "-std=" + settings_.standard,
                                    "-DTORCHADA_PARSE",
                                    "-I" + settings_.headers + "/cuda",
                                    "-DTORCHADA_WARP_SIZE=" + std::to_string(settings_.warp_size),
                                    "-include",
                                    "torchada_device.h"};
  if (!settings_.resource_dir.empty()) {
    flags.insert(flags.end(), {"-resource-dir", settings_.resource_dir});
  }
  flags.insert(flags.end(), settings_.compiler_flags.begin(), settings_.compiler_flags.end());
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

// The program's own files: neither the system's nor ours.
void Source::find_files() {
  struct Found {
    Source* self;
    bool changed = false;
  } found{this};
  clang_getInclusions(
      unit_,
      [](CXFile file, CXSourceLocation*, unsigned int, CXClientData data) {
        auto& result = *static_cast<Found*>(data);
        Source& self = *result.self;
        const std::string name = text_of(clang_getFileName(file));
        const CXSourceLocation begin = clang_getLocationForOffset(self.unit_, file, 0);
        if (self.is_ours(name) || is_under(name, self.settings_.headers) ||
            clang_Location_isInSystemHeader(begin) != 0) {
          return;
        }
        const std::string text = read_file(name);
        self.contents_[name] = without_instantiations(text);
        result.changed = result.changed || self.contents_[name] != text;
      },
      &found);
  if (found.changed) parse();
}

// Errors in host code do not matter, and those in device code are the compiler's. But without a
// file, nothing is right.
void Source::report_diagnostics() {
  constexpr std::string_view kRefused = "torchada: ";
  for (unsigned int i = 0; i < clang_getNumDiagnostics(unit_); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit_, i);
    const std::string text = text_of(clang_getDiagnosticSpelling(diagnostic));
    Place place = place_of(clang_getDiagnosticLocation(diagnostic));
    const bool refused = text.find(kRefused) != std::string::npos;
    if (refused) {
      // A header of ours refuses: the reader wants to know where it was included.
      clang_getInclusions(
          unit_,
          [](CXFile file, CXSourceLocation* stack, unsigned int depth, CXClientData data) {
            auto& where = *static_cast<Place*>(data);
            if (depth != 0 && text_of(clang_getFileName(file)) == where.file) {
              where = place_of(stack[0]);
            }
          },
          &place);
    }
    if (refused) {
      refuse(place, text.substr(text.find(kRefused) + kRefused.size()));
    } else if (clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Fatal) {
      errors_.push_back({place.file, place.line, text});
    }
    clang_disposeDiagnostic(diagnostic);
  }
}

void Source::refuse(const Place& place, const std::string& what) {
  errors_.push_back({place.file, place.line, what + ": not supported by the CPU stand-in"});
}

void Source::replace(const std::string& file, unsigned int begin, unsigned int end,
                     const std::string& by) {
  if (!is_ours(file) || end < begin) return;
  Edit& edit = edits_[file].try_emplace(begin, Edit{end, by}).first->second;
  if (end > edit.end) edit = {end, by};
}

void Source::edit_includes() {
  for_each_child(clang_getTranslationUnitCursor(unit_), [&](CXCursor cursor) {
    if (kind_of(cursor) != CXCursor_InclusionDirective) return;
    CXFile included = clang_getIncludedFile(cursor);
    if (included == nullptr) return;
    const std::string name = text_of(clang_getFileName(included));
    const Place start = start_of(cursor);
    if (!is_ours(name) || !is_ours(start.file)) return;
    // write() names the copy.
    replace(start.file, start.offset, end_of(cursor).offset, "#include \"\1" + name + "\1\"");
  });
}

std::string Source::write(const std::string& folder) const {
  std::map<std::string, std::string> copies;
  for (const auto& [file, text] : contents_) {
    const std::string name = std::to_string(copies.size());
    const std::string base = std::filesystem::path(file).filename();
    copies[file] = folder + "/" + name + "_" + base + (file == path_ ? ".cpp" : "");
  }
  for (const auto& [file, text] : contents_) {
    std::ofstream out(copies.at(file), std::ios::binary);
    out << "#line 1 \"" << file << "\"\n";
    unsigned int at = 0;
    const auto edits = edits_.find(file);
    if (edits != edits_.end()) {
      for (const auto& [begin, edit] : edits->second) {
        if (begin < at) continue;  // inside of one that came before
        out << text.substr(at, begin - at);
        std::string by = edit.by;
        if (const auto first = by.find('\1'); first != std::string::npos) {
          const auto last = by.find('\1', first + 1);
          by = by.substr(0, first) + copies.at(by.substr(first + 1, last - first - 1)) +
               by.substr(last + 1);
        }
        const std::string lines = only_lines(text.substr(begin, edit.end - begin));
        out << by << lines.substr(std::min(lines.size(), only_lines(by).size()));
        at = edit.end;
      }
    }
    out << text.substr(at);
    if (file != path_) continue;
    out << "\n#line 1 \"" << file << "\"\n";
    int number = 0;
    for (const Kernel& kernel : kernels_) {
      out << "#line " << kernel.place.line << " \"" << kernel.place.file << "\"\n"
          << "TORCHADA_KERNEL(" << number++ << ", \"" << kernel.mangled << "\", "
          << kernel.max_threads << ", " << kernel.shared_size << ", (&" << kernel.expression
          << "), " << kernel.type << ")\n";
    }
    number = 0;
    for (const Variable& variable : variables_) {
      out << "TORCHADA_VARIABLE(" << number++ << ", \"" << variable.mangled << "\", "
          << variable.expression << ", " << variable.constant << ")\n";
    }
  }
  return copies.at(path_);
}

}  // namespace kernels

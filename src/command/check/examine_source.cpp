#include <algorithm>
#include <map>

#include "src/command/check/check.h"
#include "src/command/text_layout.h"
#include "src/inspect/source_names.h"

namespace torchada::check {
namespace {

const char* const kNewer = "_v2";

// Templates whose functions launch kernels that NVIDIA's compiler makes. These headers of theirs do
// not.
constexpr std::string_view kTemplates[] = {"thrust/", "cub/", "cutlass/", "cute/"};
constexpr std::string_view kWithoutKernels[] = {"thrust/complex.h", "thrust/functional.h",
                                                "thrust/pair.h", "thrust/tuple.h",
                                                "thrust/version.h"};

struct Use {
  std::vector<int> lines;
  bool called = false;  // Or looked up by name.
};

void add_line(std::vector<int>& lines, int line) {
  if (lines.empty() || lines.back() != line) lines.push_back(line);
}

class Examination {
 public:
  Examination(Report& report, SourceLanguage language, const Standings& standings,
              const Options& options)
      : report_(report),
        python_(language == SourceLanguage::kPython),
        standings_(standings),
        options_(options) {}

  void examine(std::string_view bytes, SourceLanguage language) {
    const SourceText text = scan_source(bytes, language, [this](const SourceWord& word) {
      if (!python_ && word.text == "__global__") kernels_.push_back(word.line);
      if (standings_.may_know(word.text)) see(word);
    });
    for (const int line : text.launches) kernels_.push_back(line);
    if (python_) {
      examine_python(bytes);
    } else {
      for (const SourceString& item : text.libraries) names_library(item.text, {});
      examine_includes(text.includes);
    }
    add_unserved();
    // cublas_v2.h defines cublasSgemm as cublasSgemm_v2, and cublasCreate is not exported at all.
    // Only a source that includes cublas.h gets the interface without handles. Python code uses
    // the exported names.
    const bool v2 = !python_ && std::find(text.includes.begin(), text.includes.end(), "cublas.h") ==
                                    text.includes.end();
    for (const auto& [name, use] : ours_) add_symbol(name, use, v2);
    add_functions();
    std::sort(kernels_.begin(), kernels_.end());
    kernels_.erase(std::unique(kernels_.begin(), kernels_.end()), kernels_.end());
    report_.launches = kernels_;
    report_.device.launches = !kernels_.empty();
  }

 private:
  void see(const SourceWord& word) {
    if (const std::string_view* why = standings_.refused(word.text); why != nullptr) {
      RefusedValue& value = refused(std::string(word.text), std::string(*why));
      add_line(value.lines, word.line);
      return;
    }
    std::map<std::string, Use>* found = nullptr;
    if (standings_.knows(word.text) ||
        (!python_ && standings_.knows(std::string(word.text) + kNewer))) {
      found = &ours_;
    } else if (find_other_by_function(word.text) != nullptr) {
      found = &others_;
    }
    if (found == nullptr) return;
    Use& use = (*found)[std::string(word.text)];
    add_line(use.lines, word.line);
    use.called |= word.called || (word.quoted && !python_);
  }

  RefusedValue& refused(const std::string& name, const std::string& why) {
    for (RefusedValue& item : report_.refused) {
      if (item.name == name) return item;
    }
    return report_.refused.emplace_back(RefusedValue{name, why, {}});
  }

  // A name of a library in a string.
  void names_library(const std::string& text, const PythonLibrary& how) {
    const Standings::Named named = standings_.named(text, options_.abi);
    const bool required = how.opened && !how.optional;
    if (!named.ours) {
      const OtherLibrary* other = find_other(text);
      if (other == nullptr) {
        if (!how.stem && report_.files.size() < kMostNamedFiles) {
          report_.files.push_back({text.substr(text.rfind('/') + 1), how.line});
        }
        return;
      }
      OtherNeeded& needed = other_of(report_, text, *other);
      needed.deferred = how.deferred && (needed.deferred || !needed.opened);
      needed.opened = true;
      needed.required |= required;
      needed.at_once |= required && !how.deferred;
    }
    std::vector<std::string>& opens = report_.opens;
    if (std::find(opens.begin(), opens.end(), text) == opens.end()) opens.push_back(text);
    if (named.ours) asked_.push_back({text, named.library, required});
  }

  void examine_python(std::string_view bytes) {
    const PythonSource source = read_python(bytes);
    for (const PythonLibrary& item : source.libraries) {
      names_library(item.stem ? "lib" + item.text + ".so" : item.text, item);
    }
    report_.imports = source.imports;
    report_.located = source.located;
    report_.plugin_groups = source.plugin_groups;
    for (const PythonFile& device : source.nvidia_devices) {
      report_.nvidia_devices.push_back({device.path, device.line});
    }
    for (const int line : source.computed_libraries) {
      report_.computed_libraries.push_back("line " + std::to_string(line) +
                                           " opens a library under a name that the program "
                                           "computes");
    }
    for (const int line : source.computed_imports) {
      report_.computed_imports.push_back(
          "line " + std::to_string(line) +
          " imports a module under a name that the program computes");
    }
  }

  void examine_includes(const std::vector<std::string>& includes) {
    for (const std::string& header : includes) {
      if (const OtherLibrary* other = find_other_by_header(header); other != nullptr) {
        std::vector<std::string>& headers = other_of(report_, other->stem, *other).headers;
        if (std::find(headers.begin(), headers.end(), header) == headers.end()) {
          headers.push_back(header);
        }
      }
      const auto begins = [&header](std::string_view text) { return header.starts_with(text); };
      const auto is = [&header](std::string_view text) { return header == text; };
      if (std::any_of(std::begin(kTemplates), std::end(kTemplates), begins) &&
          std::none_of(std::begin(kWithoutKernels), std::end(kWithoutKernels), is)) {
        report_.templates.push_back(header);
      }
    }
  }

  // Names of libraries in a major that torchada does not have, unless the source names another
  // major too.
  void add_unserved() {
    for (const Asked& item : asked_) {
      if (item.library != nullptr) continue;
      const auto served = [&](const Asked& other) {
        return other.library != nullptr && Standings::same_stem(other.text, item.text);
      };
      if (std::any_of(asked_.begin(), asked_.end(), served)) continue;
      if (!item.required) {
        report_.unserved.push_back(item.text);
        continue;
      }
      NeededLibrary& added = report_.libraries.emplace_back();
      added.asked = item.text;
    }
  }

  // The library that the source asks for, of those that have this name: the default major, or else
  // the first one. Null if it names no library by its file.
  const Library* asked_for(const std::string& library) const {
    const Library* out = nullptr;
    for (const Asked& item : asked_) {
      if (item.library == nullptr || item.library->name != library) continue;
      if (item.library->majors.has(options_.abi)) return item.library;
      if (out == nullptr) out = item.library;
    }
    return out;
  }

  void add_symbol(const std::string& name, const Use& use, bool v2) {
    const Library* owner = standings_.any_owner(name, options_.abi);
    const bool renamed = owner == nullptr;
    if (renamed) owner = standings_.any_owner(name + kNewer, options_.abi);
    if (owner == nullptr) return;
    const Library* library = asked_for(owner->name);
    if (library == nullptr) {
      library = standings_.owner(renamed ? name + kNewer : name, options_.abi);
      if (library == nullptr) return;  // Another major has it, and nothing asks for that.
    }
    NeededSymbol symbol;
    symbol.symbol = Standings::find(*library, name);
    // cuda.h, too, names the newest form by the plain name.
    const bool is_driver = !python_ && library->name == "cuda";
    if (renamed || is_driver || (v2 && library->name == "cublas")) {
      const Symbol* newer = Standings::find(*library, name + kNewer);
      if (newer != nullptr) symbol.symbol = newer;
    }
    symbol.name = symbol.symbol ? std::string(symbol.symbol->name) : name;
    symbol.lines = use.lines;
    auto known = std::find_if(report_.libraries.begin(), report_.libraries.end(),
                              [&](const NeededLibrary& item) { return item.library == library; });
    if (known == report_.libraries.end()) {
      NeededLibrary& added = report_.libraries.emplace_back();
      added.asked = library->soname;
      added.library = library;
      known = report_.libraries.end() - 1;
    }
    known->symbols.push_back(symbol);
  }

  void add_functions() {
    for (const auto& [name, use] : others_) {
      const OtherLibrary* library = find_other_by_function(name);
      const auto same = [library](const OtherNeeded& item) { return item.library == library; };
      auto known = std::find_if(report_.others.begin(), report_.others.end(), same);
      // A variable may have such a name too.
      if (!use.called && known == report_.others.end()) continue;
      if (!use.called && !known->opened) continue;
      if (known == report_.others.end()) {
        other_of(report_, library->stem, *library);
        known = report_.others.end() - 1;
      }
      for (const int line : use.lines) add_function(*known, name, line);
    }
  }

  struct Asked {
    std::string text;
    const Library* library = nullptr;  // Null for a major that torchada does not have.
    bool required = false;
  };

  Report& report_;
  const bool python_;
  const Standings& standings_;
  const Options& options_;
  std::map<std::string, Use> ours_, others_;
  std::vector<Asked> asked_;
  std::vector<int> kernels_;
};

}  // namespace

Report examine_source(const std::string& path, std::string_view bytes, const Standings& standings,
                      const Options& options) {
  Report report;
  report.path = path;
  report.kind = "source";
  const SourceLanguage language = source_language(path, bytes);
  report.is_python = language == SourceLanguage::kPython;
  report.is_program = report.is_python;
  Examination(report, language, standings, options).examine(bytes, language);
  return report;
}

}  // namespace torchada::check

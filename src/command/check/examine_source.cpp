#include <algorithm>
#include <map>

#include "src/command/check/check.h"
#include "src/inspect/source_names.h"

namespace torchada::check {
namespace {

// cublas_v2.h defines cublasSgemm as cublasSgemm_v2, and cublasCreate is not exported at all. Only
// a source that includes cublas.h gets the interface without handles. Python code uses the exported
// names.
bool takes_v2(SourceLanguage language, const SourceText& text) {
  const auto is_old = [](const std::string& header) { return header == "cublas.h"; };
  return language == SourceLanguage::kC &&
         std::none_of(text.includes.begin(), text.includes.end(), is_old);
}

const char* const kNewer = "_v2";

}  // namespace

Report examine_source(const std::string& path, std::string_view bytes, const Standings& standings,
                      const Options& options) {
  Report report;
  report.path = path;
  report.kind = "source";
  const SourceLanguage language = source_language(path);
  std::map<std::string, std::vector<int>> found;
  const SourceText text = scan_source(bytes, language, [&](std::string_view word, int line) {
    // Every mapped name starts with one of these letters.
    if (word[0] != 'c' && word[0] != 'n' && word[0] != 'p' && word[0] != '_') return;
    const std::string name(word);
    const bool known =
        standings.owner(name, options.abi) != nullptr ||
        (language == SourceLanguage::kC && standings.owner(name + kNewer, options.abi) != nullptr);
    if (!known) return;
    std::vector<int>& lines = found[name];
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  });
  report.launches = text.launches;
  report.device.launches = !text.launches.empty();
  const bool v2 = takes_v2(language, text);
  for (const auto& [name, lines] : found) {
    const tables::Library* library = standings.owner(name, options.abi);
    const tables::Symbol* newer = nullptr;
    if (library == nullptr) {
      library = standings.owner(name + kNewer, options.abi);
      newer = standings.find(*library, name + kNewer);
    } else if (v2 && library->name == "cublas") {
      newer = standings.find(*library, name + kNewer);
    }
    auto known = std::find_if(report.libraries.begin(), report.libraries.end(),
                              [&](const NeededLibrary& item) { return item.library == library; });
    if (known == report.libraries.end()) {
      NeededLibrary& added = report.libraries.emplace_back();
      added.asked = library->soname;
      added.library = library;
      known = report.libraries.end() - 1;
    }
    NeededSymbol symbol;
    symbol.symbol = newer ? newer : standings.find(*library, name);
    symbol.name = symbol.symbol->name;
    symbol.lines = lines;
    known->symbols.push_back(symbol);
  }
  judge(report, true);
  return report;
}

}  // namespace torchada::check

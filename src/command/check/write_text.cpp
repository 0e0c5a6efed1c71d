#include <algorithm>
#include <map>

#include "src/command/check/check.h"
#include "src/command/output.h"
#include "src/command/text_layout.h"

namespace torchada::check {
namespace {

std::string in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNothing:
      return "does not use CUDA";
    case Verdict::kReplaced:
      return "is replaced";
    case Verdict::kRuns:
      return "runs";
    case Verdict::kUnexamined:
      return "not examined in full";
    case Verdict::kAssumed:
      return "runs if the assumptions hold";
    case Verdict::kPartly:
      return "runs in part";
    case Verdict::kKernels:
      return "runs until it launches its own kernels";
    case Verdict::kUnreadable:
      return "could not be examined";
    case Verdict::kCannot:
      break;
  }
  return "cannot run";
}

Colour colour_of(Verdict verdict) {
  if (verdict >= Verdict::kUnreadable) return Colour::kRed;
  return verdict >= Verdict::kUnexamined ? Colour::kYellow : Colour::kGreen;
}

std::string shown_standing(const Report& report, const NeededSymbol& symbol) {
  if (symbol.symbol == nullptr && symbol.weak) return "absent";
  return std::string(standing_of(report, symbol));
}

std::string lines_of(const std::vector<int>& lines) {
  if (lines.empty()) return "";
  std::vector<std::string> numbers;
  for (const int number : lines) numbers.push_back(std::to_string(number));
  return " (line " + joined(numbers) + ")";
}

std::string text_of(const Report& report, const NeededLibrary& library, const Shown& shown) {
  std::map<std::string, std::vector<const NeededSymbol*>> by_standing;
  for (const NeededSymbol& symbol : library.symbols) {
    by_standing[shown_standing(report, symbol)].push_back(&symbol);
  }
  std::vector<std::string> counts;
  for (const auto& [standing, symbols] : by_standing) {
    counts.push_back(std::to_string(symbols.size()) + " " + standing);
  }
  const std::string count = counts.empty() ? "no symbols" : joined(counts);
  std::string out = line(1, library.asked + ": " + count);
  for (const auto& [standing, symbols] : by_standing) {
    const bool fine = standing == "supported" || standing == "emulated";
    // For a source, always print the line numbers.
    if (fine && !shown.symbols && symbols.front()->lines.empty()) continue;
    for (const NeededSymbol* symbol : symbols) {
      const std::string version = symbol->version.empty() ? "" : "@" + symbol->version;
      std::string why;
      if (!fine && symbol->symbol) why = symbol->symbol->because();
      out += line(2, standing + ": " + symbol->name + version + lines_of(symbol->lines) +
                         (symbol->looked_up ? ", by name" : "") + (why.empty() ? "" : ": " + why));
    }
  }
  return out;
}

std::string text_of(const OtherNeeded& other) {
  if (other.functions.empty()) return "";
  std::string out = line(1, other.name + ": " + std::to_string(other.functions.size()) +
                                (other.functions.size() == 1 ? " function" : " functions"));
  for (const OtherNeeded::Function& function : other.functions) {
    out += line(2, "not provided: " + function.name + lines_of(function.lines));
  }
  return out;
}

std::string text_of(const DeviceCode& device) {
  std::string out;
  if (device.skipped) return line(1, "device code: not listed; name the file to list it");
  if (device.binaries == 0 && device.damage.empty()) return out;
  out += line(1, "device code: " + std::to_string(device.binaries) +
                     (device.binaries == 1 ? " fat binary" : " fat binaries"));
  for (const DeviceImages& image : device.images) {
    out += line(2, std::to_string(image.count) + " x " + image.kind + " " + image.architecture +
                       (image.compressed > 0 ? ", compressed" : "") +
                       (image.flags.empty() ? "" : ", built with " + image.flags));
  }
  if (!device.damage.empty()) out += line(2, device.damage);
  return out;
}

// With kernel libraries: the kernels, of which those that none has are named.
std::string kernels_of(const DeviceCode& device) {
  if (device.kernels.empty()) return "";
  std::string missing;
  std::size_t count = 0;
  for (const Kernel& kernel : device.kernels) {
    if (!kernel.place.path.empty()) continue;
    ++count;
    missing += line(2, "missing: " + kernel.kernel.signature);
  }
  return line(1, "kernels: " + std::to_string(device.kernels.size()) + ", of which " +
                     std::to_string(device.kernels.size() - count) + " in kernel libraries") +
         missing;
}

std::string text_of(const Report& report, const Shown& shown) {
  std::string out = coloured(report.path, Colour::kBold) + ": " +
                    coloured(in_words(report.verdict), colour_of(report.verdict)) + "\n";
  for (const std::string& reason : report.reasons) out += line(1, reason);
  if (report.verdict == Verdict::kReplaced) return out;
  for (const NeededLibrary& library : report.libraries) out += text_of(report, library, shown);
  for (const OtherNeeded& other : report.others) out += text_of(other);
  for (const std::string& text : report.opens) out += line(1, "may open at run time: " + text);
  for (const Loaded& load : report.loads) {
    const std::string at = load.line == 0 ? "" : "line " + std::to_string(load.line) + " ";
    out += line(
        1, at + load.how + " " + load.name + " (" + load.path + "): " + in_words(load.verdict));
  }
  out += text_of(report.device) + kernels_of(report.device);
  if (!report.launches.empty()) {
    std::vector<std::string> numbers;
    for (const int number : report.launches) numbers.push_back(std::to_string(number));
    out += line(1, "launches or declares kernels (line " + joined(numbers) + ")");
  }
  if (!report.libraries.empty() && !report.rpath.empty()) {
    out += line(1, "DT_RPATH " + report.rpath);
  }
  if (!report.libraries.empty() && !report.runpath.empty()) {
    out += line(1, "DT_RUNPATH " + report.runpath);
  }
  for (const std::string& remedy : report.remedies) out += line(1, "remedy: " + remedy);
  return out;
}

}  // namespace

std::string write_text(const Result& result, const Shown& shown) {
  std::string out;
  std::size_t with_cuda = 0;
  for (const Report& report : result.reports) {
    with_cuda += report.verdict != Verdict::kNothing && report.verdict != Verdict::kUnreadable;
    if (report.verdict != Verdict::kNothing || shown.all) out += text_of(report, shown);
  }
  const Verdict whole = result.whole();
  const bool program = result.names_program();
  std::size_t beside = 0;
  for (const Report& report : result.reports) {
    beside += program && !report.in_named && report.verdict > whole;
  }
  if (beside > 0) {
    out += std::to_string(beside) + (beside == 1 ? " file" : " files") +
           " of the directories would be worse; the program decides, with what it loads\n";
  }
  out += std::to_string(result.files.size()) + (result.files.size() == 1 ? " file" : " files") +
         ", " + std::to_string(with_cuda) +
         " with CUDA; overall: " + coloured(in_words(whole), colour_of(whole)) + "\n";
  return out;
}

}  // namespace torchada::check

// Finds the verdict on a file from what was found in it.
#include <algorithm>
#include <string>

#include "src/command/check/check.h"

namespace torchada::check {
namespace {

std::string counted(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

class Judge {
 public:
  Judge(Report& report, bool for_this_machine)
      : report_(report), for_this_machine_(for_this_machine) {}

  void judge() {
    const bool ours = !report_.libraries.empty() || opens_ours();
    if (ours || !report_.others.empty() || !report_.device.images.empty() ||
        report_.static_runtime || !report_.launches.empty()) {
      report_.verdict = Verdict::kRuns;
      machine();
      nvidias_own();
      static_runtime();
      other_libraries();
      libraries();
      kernels();
      symbols();
      opened();
      search_path();
    }
  }

 private:
  bool opens_ours() const {
    return std::any_of(report_.opens.begin(), report_.opens.end(),
                       [](const std::string& name) { return find_other(name) == nullptr; });
  }

  void say(Verdict verdict, const std::string& reason) {
    report_.reasons.push_back(reason);
    if (verdict > report_.verdict) report_.verdict = verdict;
  }

  void advise(const std::string& text) {
    std::vector<std::string>& known = report_.remedies;
    if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
  }

  void machine() {
    if (for_this_machine_) return;
    say(Verdict::kCannot, "it is not built for x86-64");
  }

  // Users cannot relink NVIDIA's own libraries.
  void nvidias_own() {
    own_ = find_other(report_.soname);
    if (own_ == nullptr) return;
    say(Verdict::kPartly, "it is NVIDIA's library " + report_.soname + " (" + own_->what + ")");
    advise(report_.soname + ": " + own_->advice);
  }

  void static_runtime() {
    if (!report_.static_runtime) return;
    say(Verdict::kCannot,
        "it is linked with the static CUDA runtime (static cudart), which opens libcuda.so.1 and "
        "never torchada's libcudart");
    if (own_ != nullptr) return;
    advise(
        "link with the shared runtime: nvcc -cudart shared, or CUDA_RUNTIME_LIBRARY Shared in "
        "CMake");
  }

  void other_libraries() {
    for (const OtherNeeded& other : report_.others) {
      if (!other.listed) continue;
      say(Verdict::kCannot, "it needs " + other.name + " (" + other.library->what +
                                "), which torchada does not provide");
      advise(other.name + ": " + other.library->advice);
    }
  }

  void libraries() {
    for (const NeededLibrary& library : report_.libraries) {
      if (library.library == nullptr) {
        say(Verdict::kCannot, "it needs " + library.asked +
                                  ", from a CUDA major version that torchada does not provide");
        continue;
      }
      std::size_t missing = 0;
      std::string first;
      for (const NeededSymbol& symbol : library.symbols) {
        if (symbol.symbol || symbol.weak) continue;
        if (missing++ == 0) first = symbol.name;
      }
      if (missing == 0) continue;
      say(Verdict::kCannot, "it needs " + counted(missing, "symbol", "symbols") + " that " +
                                library.library->soname + " does not export, for example " + first);
    }
  }

  void kernels() {
    if (!report_.device.launches) return;
    say(Verdict::kKernels, report_.kind == "source"
                               ? "it launches its own kernels: compile them for MUSA"
                               : "it contains its own kernels, built for NVIDIA GPUs");
  }

  void symbols() {
    std::size_t assumed = 0;
    std::size_t unsupported = 0;
    for (const NeededLibrary& library : report_.libraries) {
      for (const NeededSymbol& symbol : library.symbols) {
        if (symbol.symbol == nullptr) continue;
        const std::string& standing = symbol.symbol->standing;
        assumed += standing == "assumed";
        // Already reported with the kernels.
        if (report_.device.launches && symbol.symbol->decision == "no_image") continue;
        unsupported += standing == "unsupported" || standing == "pending";
      }
    }
    if (unsupported > 0) {
      say(Verdict::kPartly,
          "it uses " + counted(unsupported, "function that returns", "functions that return") +
              " \"not supported\"");
    }
    if (assumed > 0) {
      say(Verdict::kAssumed, "it uses " + counted(assumed, "symbol", "symbols") +
                                 " whose counterpart in MUSA is only assumed");
    }
  }

  void opened() {
    if (!report_.static_runtime) {
      for (const OtherNeeded& other : report_.others) {
        if (other.listed) continue;
        say(Verdict::kPartly, "it may open " + other.name + " (" + other.library->what +
                                  "), which torchada does not provide");
        advise(other.name + ": " + other.library->advice);
      }
    }
    for (const std::string& text : report_.opens) {
      if (text[0] != '/') continue;
      advise("it names " + text +
             " by its full path: start it with torchada run, which redirects such paths");
    }
  }

  void search_path() {
    if (report_.libraries.empty()) return;
    if (!report_.rpath.empty() && report_.runpath.empty()) {
      advise("DT_RPATH (" + report_.rpath +
             ") is searched before LD_LIBRARY_PATH: start it with torchada run");
    }
    for (const NeededLibrary& library : report_.libraries) {
      if (!library.listed || library.library == nullptr) continue;
      if (library.asked == library.library->soname) continue;
      advise("it is linked with " + library.asked + ", not with " + library.library->soname +
             ": start it with torchada run, which also finds renamed libraries");
    }
  }

  Report& report_;
  const OtherLibrary* own_ = nullptr;
  bool for_this_machine_;
};

}  // namespace

const char* word_of(Verdict verdict) {
  constexpr const char* kWords[] = {"nothing", "replaced", "runs",       "assumed",
                                    "partly",  "kernels",  "unreadable", "cannot"};
  return kWords[static_cast<int>(verdict)];
}

void judge(Report& report, bool for_this_machine) { Judge(report, for_this_machine).judge(); }

Verdict Result::whole() const {
  Verdict out = Verdict::kNothing;
  for (const Report& report : reports) {
    if (report.verdict > out) out = report.verdict;
  }
  return out;
}

}  // namespace torchada::check

// Finds the verdict on a file from what was found in it.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "src/command/check/check.h"
#include "src/command/offered_libraries.h"
#include "src/command/recipes/advice.h"
#include "src/shared/machine.h"

namespace torchada::check {
namespace {

// The ways to a device: all other libraries take their memory from one of them.
constexpr std::string_view kRuntime = "cudart";
constexpr std::string_view kDriver = "cuda";
constexpr std::string_view kCompile = "nvrtcCompileProgram";

// Fewer names in a binary that opens nothing may be words of its messages.
constexpr std::ptrdiff_t kTable = 8;

// Whoever calls nothing else asks which runtime there is, and does not use it.
bool answers_without_device(std::string_view function) {
  constexpr std::string_view kNames[] = {"cudaRuntimeGetVersion", "cudaDriverGetVersion",
                                         "cudaGetErrorName",      "cudaGetErrorString",
                                         "cudaGetLastError",      "cudaPeekAtLastError"};
  return std::find(std::begin(kNames), std::end(kNames), function) != std::end(kNames);
}

bool is_served(const NeededSymbol& symbol) {
  return symbol.symbol != nullptr && !is_refused(symbol.symbol->standing);
}

std::string counted(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

class Judge {
 public:
  Judge(Report& report, Whose whose) : report_(report), whose_(whose) {}

  void judge() {
    if (report_.verdict == Verdict::kUnreadable) return;
    if (report_.verdict == Verdict::kReplaced) {
      report_.reasons = {"torchada provides this library"};
      return;
    }
    unexamined();
    if (uses_cuda()) {
      if (report_.verdict == Verdict::kNothing) report_.verdict = Verdict::kRuns;
      machine();
      nvidias_own();
      forget_business_of_static_runtime();
      static_runtime();
      other_libraries();
      libraries();
      kernels();
      symbols();
      values();
      opened();
      loaded();
      devices();
      search_path();
    }
    weigh();
    std::stable_sort(said_.begin(), said_.end(),
                     [](const Said& a, const Said& b) { return a.verdict > b.verdict; });
    for (const Said& said : said_) {
      report_.verdict = std::max(report_.verdict, said.verdict);
      report_.reasons.push_back(said.reason);
    }
  }

 private:
  struct Said {
    Verdict verdict;
    std::string reason;
    bool one_way = false;  // One way to CUDA of perhaps several, which does not stop the others.
  };

  bool uses_cuda() const {
    return !report_.libraries.empty() || !report_.opens.empty() || !report_.others.empty() ||
           report_.device.skipped || !report_.device.images.empty() || report_.static_runtime ||
           !report_.launches.empty() || !report_.templates.empty() || !report_.refused.empty() ||
           !report_.loads.empty() || !report_.nvidia_devices.empty();
  }

  bool uses_ours() const {
    return !report_.libraries.empty() ||
           std::any_of(report_.opens.begin(), report_.opens.end(),
                       [](const std::string& name) { return find_other(name) == nullptr; });
  }

  void say(Verdict verdict, const std::string& reason, bool one_way = false) {
    said_.push_back({verdict, reason, one_way});
  }

  // The functions that are served, of those that need a device.
  static std::ptrdiff_t served(const NeededLibrary& item, bool looked_up) {
    return std::count_if(item.symbols.begin(), item.symbols.end(), [&](const NeededSymbol& one) {
      return (one.looked_up || !looked_up) && is_served(one) && !answers_without_device(one.name);
    });
  }

  // Whether the file itself uses the runtime or the driver and is served: it is linked with it,
  // opens it by a name, or has a table of functions to look up in what another file opens.
  bool uses_runtime() const {
    return std::any_of(
        report_.libraries.begin(), report_.libraries.end(), [&](const NeededLibrary& item) {
          if (item.library == nullptr) return false;
          if (item.library->name != kRuntime && item.library->name != kDriver) return false;
          const bool named = std::any_of(report_.opens.begin(), report_.opens.end(),
                                         [&item](const std::string& text) {
                                           return Standings::same_stem(text, item.library->soname);
                                         });
          return item.listed || named ? served(item, false) > 0 : served(item, true) >= kTable;
        });
  }

  // What fails on one way to CUDA affects a part of a program that works on another. A program that
  // cannot be loaded, or has no way that works, cannot run.
  void weigh() {
    const bool stopped = std::any_of(said_.begin(), said_.end(), [](const Said& said) {
      return said.verdict == Verdict::kCannot && !said.one_way;
    });
    report_.works =
        !stopped && (uses_runtime() || std::any_of(report_.loads.begin(), report_.loads.end(),
                                                   [](const Loaded& load) { return load.works; }));
    if (!report_.works) return;
    for (Said& said : said_) {
      if (said.verdict == Verdict::kCannot) said.verdict = Verdict::kPartly;
    }
  }

  void advise(const std::string& text) {
    std::vector<std::string>& known = report_.remedies;
    if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
  }

  void unexamined() {
    for (const std::string& text : report_.unexamined) {
      say(Verdict::kUnexamined, text);
      if (text.ends_with("which was not found")) {
        advise(
            "install the module for the script's interpreter, or say where it is: --python=PROGRAM "
            "or --python-path=DIR");
      }
    }
  }

  void machine() {
    if (report_.for_this_machine) return;
    report_.stops = true;
    say(Verdict::kCannot, "it is not built for " TORCHADA_MACHINE);
  }

  // Users cannot relink NVIDIA's own libraries.
  void nvidias_own() {
    own_ = find_other(report_.soname);
    if (own_ == nullptr) return;
    say(Verdict::kPartly, "it is NVIDIA's library " + report_.soname + " (" + own_->what + ")");
    advise(report_.soname + ": " + own_->advice);
  }

  // It opens the driver and looks its functions up, which says nothing about the program.
  void forget_business_of_static_runtime() {
    if (!report_.static_runtime) return;
    const auto is_driver = [](const NeededLibrary& item) {
      return !item.listed && item.library != nullptr && item.library->name == kDriver;
    };
    std::vector<NeededLibrary>& all = report_.libraries;
    all.erase(std::remove_if(all.begin(), all.end(), is_driver), all.end());
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
      if (report_.static_runtime && !other.listed) continue;  // The runtime's own business.
      const Verdict verdict = verdict_on(other);
      if (verdict == Verdict::kNothing) continue;
      const bool stops =
          (other.listed && verdict == Verdict::kCannot) || (other.at_once && other.found.empty());
      report_.stops |= stops;
      say(verdict, reason_for(other), !stops);
      advise(other.name + ": " + other.library->advice);
    }
  }

  Verdict verdict_on(const OtherNeeded& other) const {
    if (other.listed || !other.found.empty()) {
      const bool alone = !other.listed && !other.functions.empty() && !uses_ours();
      return other.found.empty() || alone ? Verdict::kCannot : Verdict::kPartly;
    }
    if (report_.is_python) return verdict_in_python(other);
    if (!other.functions.empty()) {
      // What uses nothing that torchada has ends without it.
      const bool calls = !other.opened && !other.looked_up;
      return calls || !uses_ours() ? Verdict::kCannot : Verdict::kPartly;
    }
    return Verdict::kPartly;
  }

  // A name alone may serve another purpose. A script or module that also has functions of the
  // library opens it in order to call them.
  Verdict verdict_in_python(const OtherNeeded& other) const {
    const bool calls = !other.functions.empty() && (other.opened || report_.named);
    const bool opens = report_.named ? other.required : other.at_once;
    return opens || (calls && !uses_ours()) ? Verdict::kCannot : Verdict::kPartly;
  }

  static std::string reason_for(const OtherNeeded& other) {
    const std::string name = other.name + " (" + other.library->what + ")";
    if (!other.found.empty()) {
      return (other.listed ? "it needs " : "it opens ") + name +
             ", which torchada does not provide: " + other.found +
             " loads in its place, and finds no driver";
    }
    if (other.listed) return "it needs " + name + ", which torchada does not provide";
    std::string functions;
    if (!other.functions.empty()) {
      functions = counted(other.functions.size(), "function", "functions");
      functions += ", for example " + other.functions[0].name;
    }
    if (other.required || (other.opened && !functions.empty())) {
      return (other.deferred ? "in a function, it opens " : "it opens ") + name +
             ", which torchada does not provide" +
             (functions.empty() ? "" : ", and looks up " + functions);
    }
    if (other.opened) return "it may open " + name + ", which torchada does not provide";
    if (!functions.empty()) {
      return (other.looked_up ? "it looks up " : "it calls ") + functions + ", of " + name +
             ", which torchada does not provide";
    }
    return "it includes " + other.headers[0] + ", of " + name + ", which torchada does not provide";
  }

  void libraries() {
    for (const NeededLibrary& library : report_.libraries) {
      if (library.library == nullptr) {
        report_.stops = true;
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

  // With the kernel libraries that the user named.
  void compared_kernels() {
    const DeviceCode& device = report_.device;
    std::size_t missing = 0;
    const Kernel* first = nullptr;
    for (const Kernel& kernel : device.kernels) {
      if (!kernel.place.path.empty()) continue;
      if (missing++ == 0) first = &kernel;
    }
    if (missing > 0) {
      const std::string text = counted(missing, "of its kernels is", "of its kernels are") +
                               " in no kernel library" + (missing == 1 ? ": " : ", for example ") +
                               first->kernel.signature;
      if (device.unread.empty()) {
        say(Verdict::kKernels, text);
      } else {
        say(Verdict::kUnexamined, text + "; the kernels of " + device.unread + " are not known");
      }
    }
    if (!device.unknown.empty()) say(Verdict::kUnexamined, device.unknown);
  }

  void kernels() {
    const bool compared = report_.device.compared;
    if (report_.device.launches && compared) {
      compared_kernels();
    } else if (report_.device.launches) {
      say(Verdict::kKernels, report_.kind == "source"
                                 ? "it launches its own kernels: compile them for MUSA"
                                 : "it contains its own kernels, built for NVIDIA GPUs");
    }
    loaded_code(compared);
    if (!report_.templates.empty()) {
      say(Verdict::kKernels, "it includes " + report_.templates[0] +
                                 ", whose templates launch kernels: compile them for MUSA");
    }
    if (std::any_of(said_.begin(), said_.end(),
                    [](const Said& said) { return said.verdict == Verdict::kKernels; })) {
      advise_kernels();
    }
  }

  void loaded_code(bool compared) {
    report_.compiles |= compiles_code(report_);
    const std::string name = loads_code(report_);
    if (name.empty()) return;
    const std::string what = "it loads device code at run time, with " + name;
    if (report_.compiles) {
      say(Verdict::kRuns, what + ", and compiles it with NVRTC, which torchada serves");
      return;
    }
    report_.code = what + (compared ? ": the file does not tell which kernels it asks for"
                                    : ": torchada refuses NVIDIA's (PTX, cubins)");
    if (whose_ == Whose::kProgram) {
      say(compared ? Verdict::kUnexamined : Verdict::kKernels, report_.code);
    }
  }

  // Nobody has the source of NVIDIA's own kernels.
  void advise_kernels() {
    if (own_ != nullptr) return;
    if (const std::string recipe = recipes::advice_for(report_.path); !recipe.empty()) {
      advise(recipe);
    } else if (report_.device.compared) {
      advise("compile the missing kernels too: torchada kernels build SOURCE... -o IMAGE");
    } else {
      advise(
          "if you have the source of the kernels: torchada kernels build SOURCE... -o IMAGE, then "
          "torchada run --kernels=IMAGE");
    }
  }

  // Whether the kernels' verdict covers what becomes of the call.
  bool is_about_kernels(const Symbol& symbol) const {
    if (!report_.device.launches || symbol.brings_code || symbol.decision != "no_image")
      return false;
    return symbol.kernel_libraries || !report_.device.compared;
  }

  void symbols() {
    std::size_t assumed = 0;
    std::size_t unsupported = 0;
    std::size_t looked_up = 0;
    for (const NeededLibrary& library : report_.libraries) {
      for (const NeededSymbol& symbol : library.symbols) {
        if (symbol.symbol == nullptr) continue;
        const Standing standing = symbol.symbol->standing;
        assumed += standing == Standing::kAssumed;
        if (is_about_kernels(*symbol.symbol)) continue;
        const bool refuses = is_refused(standing);
        unsupported += refuses && !symbol.looked_up;
        looked_up += refuses && symbol.looked_up;
      }
    }
    if (unsupported > 0) {
      say(Verdict::kPartly,
          "it uses " + counted(unsupported, "function that returns", "functions that return") +
              " \"not supported\"");
    }
    if (looked_up > 0) {
      say(Verdict::kPartly,
          "it names " + counted(looked_up, "function that returns", "functions that return") +
              " \"not supported\", and may look them up at run time");
    }
    if (assumed > 0) {
      say(Verdict::kAssumed, "it uses " + counted(assumed, "symbol", "symbols") +
                                 " whose counterpart in MUSA is only assumed");
    }
  }

  void values() {
    for (const RefusedValue& value : report_.refused) {
      say(Verdict::kPartly, "calls with " + value.name + " are refused: " + value.why);
    }
  }

  void opened() {
    for (const std::string& text : report_.unserved) {
      say(Verdict::kPartly,
          "it may open " + text + ", from a CUDA major version that torchada does not provide");
    }
    for (const std::string& text : report_.opens) {
      if (text[0] != '/') continue;
      advise("it names " + text +
             " by its full path: start it with torchada run, which redirects such paths");
    }
  }

  void loaded() {
    std::set<std::string> known;  // Many modules bring the same.
    for (const Loaded& load : report_.loads) {
      if (load.verdict >= Verdict::kKernels && !load.path.empty()) {
        const std::string recipe = recipes::advice_for(load.path);
        if (!recipe.empty()) advise(recipe);
      }
      if (load.on_request != nullptr) {
        advise("start it with torchada run --" + load.on_request->name + ": " + load.name +
               " needs " + load.on_request->soname + ", which is offered on request only");
      }
      if (load.verdict < Verdict::kUnexamined || !known.insert(load.reason).second) continue;
      report_.stops |= load.stops;
      report_.blind |= load.blind;
      const std::string who = load.line == 0 ? "it" : "line " + std::to_string(load.line);
      say(load.verdict, who + " " + load.how + " " + load.name + ", which brings " + load.reason,
          !load.stops && !load.blind);
    }
  }

  // Whoever tests for NVIDIA's devices uses no library of CUDA where there are none.
  void devices() {
    if (report_.nvidia_devices.empty()) return;
    const NamedFile& device = report_.nvidia_devices.front();
    report_.blind = true;
    say(Verdict::kCannot, "line " + std::to_string(device.line) + " looks for " + device.name +
                              ", which only NVIDIA's driver makes: without it, the program takes "
                              "the machine for one without a GPU");
  }

  void search_path() {
    if (report_.libraries.empty()) return;
    if (!report_.rpath.empty() && report_.runpath.empty()) {
      advise("DT_RPATH (" + report_.rpath +
             ") is searched before LD_LIBRARY_PATH: start it with torchada run");
    }
    for (const NeededLibrary& library : report_.libraries) {
      if (library.library != nullptr && is_offered_by_run(library.library->name)) {
        advise("only programs started with torchada run find " + library.library->soname);
      }
      if (library.library != nullptr && is_offered_on_request(library.library->name)) {
        advise("only programs started with torchada run --" + library.library->name + " find " +
               library.library->soname);
      }
      if (!library.listed || library.library == nullptr) continue;
      if (library.asked == library.library->soname) continue;
      advise("it is linked with " + library.asked + ", not with " + library.library->soname +
             ": start it with torchada run, which also finds renamed libraries");
    }
  }

  Report& report_;
  const Whose whose_;
  const OtherLibrary* own_ = nullptr;
  std::vector<Said> said_;
};

}  // namespace

const char* word_of(Verdict verdict) {
  constexpr const char* kWords[] = {"nothing", "replaced", "runs",       "unexamined", "assumed",
                                    "partly",  "kernels",  "unreadable", "cannot"};
  return kWords[static_cast<int>(verdict)];
}

void judge(Report& report, Whose whose) { Judge(report, whose).judge(); }

bool compiles_code(const Report& report) {
  for (const NeededLibrary& library : report.libraries) {
    if (library.library == nullptr || library.library->name != "nvrtc") continue;
    for (const NeededSymbol& symbol : library.symbols) {
      if (symbol.name == kCompile && is_served(symbol)) return true;
    }
  }
  return false;
}

Verdict verdict_on_code(const Options& options) {
  return options.kernel_libraries == nullptr ? Verdict::kKernels : Verdict::kUnexamined;
}

bool served_by_kernel_libraries(const Report& report, const NeededSymbol& symbol) {
  return report.device.compared && symbol.symbol != nullptr && symbol.symbol->kernel_libraries;
}

std::string_view standing_of(const Report& report, const NeededSymbol& symbol) {
  if (symbol.symbol == nullptr) return "missing";
  return standing_name(served_by_kernel_libraries(report, symbol) ? Standing::kEmulated
                                                                  : symbol.symbol->standing);
}

std::string loads_code(const Report& report) {
  for (const NeededLibrary& library : report.libraries) {
    for (const NeededSymbol& symbol : library.symbols) {
      if (symbol.symbol != nullptr && symbol.symbol->brings_code) return symbol.name;
    }
  }
  return "";
}

OtherNeeded& other_of(Report& report, const std::string& name, const OtherLibrary& library) {
  for (OtherNeeded& item : report.others) {
    // The stem alone stands for the library until the file names it.
    if (item.library == &library && (item.name == name || item.name == library.stem)) {
      item.name = name;
      return item;
    }
  }
  OtherNeeded& out = report.others.emplace_back();
  out.name = name;
  out.library = &library;
  return out;
}

void add_function(OtherNeeded& other, const std::string& name, int line) {
  const auto place = std::lower_bound(
      other.functions.begin(), other.functions.end(), name,
      [](const OtherNeeded::Function& item, const std::string& text) { return item.name < text; });
  const bool known = place != other.functions.end() && place->name == name;
  OtherNeeded::Function& function = known ? *place : *other.functions.insert(place, {name, {}});
  if (line > 0) function.lines.push_back(line);
}

bool Result::names_program() const {
  return std::any_of(reports.begin(), reports.end(),
                     [](const Report& report) { return report.named && report.is_program; });
}

Verdict Result::whole() const {
  const bool program = names_program();
  Verdict out = Verdict::kNothing;
  for (const Report& report : reports) {
    if (report.in_named || !program) out = std::max(out, report.verdict);
  }
  return out;
}

}  // namespace torchada::check

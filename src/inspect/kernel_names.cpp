#include "src/inspect/kernel_names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace torchada {
namespace {

constexpr std::string_view kStub = "__device_stub__";
constexpr std::string_view kMangled = "_Z";
// Before what has internal linkage, with -rdc=true.
constexpr std::string_view kRelocatable = "__nv_static_";
// What has one of these may name a source (src/shared/nvcc_name.h).
constexpr const char* kWithSource[] = {"_GLOBAL__N_", "_INTERNAL_", "__nv_static_"};
constexpr std::string_view kHostCode = ".cudafe1.cpp";
constexpr std::string_view kTemporary = "tmpxft_";
constexpr std::string_view kResult = "void ";  // Only templates' names tell it.
// The last bytes of a number before the first string may look like letters.
constexpr std::size_t kLongestNumber = 8;

bool in_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '$' || letter == '.';
}

// Reads a number and that many characters, as in "4name". Empty if there is no such thing.
std::string_view read_part(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  std::size_t length = 0;
  std::size_t digits = 0;
  while (digits < std::min(text.size(), kMostDigits) && text[digits] >= '0' &&
         text[digits] <= '9') {
    length = length * 10 + static_cast<std::size_t>(text[digits++] - '0');
  }
  return digits == 0 || length > text.size() - digits ? "" : text.substr(digits, length);
}

bool is_mangled(std::string_view name) {
  return name.starts_with(kMangled) && name.size() > 2 &&
         ((name[2] >= '0' && name[2] <= '9') || name[2] == 'N' || name[2] == 'L');
}

// What the mangled name of a function says. Empty if a text is none.
struct Function {
  std::string mangled;    // Without nvcc's prefix.
  std::string signature;  // As in the source, with the parameters; or `mangled`, if the system's
                          // demangler does not know the name.
};

Function function_of(std::string_view text) {
  const bool has_prefix = text.starts_with(kRelocatable);
  for (std::size_t at = text.find(kMangled); at != std::string_view::npos;
       at = text.find(kMangled, at + 1)) {
    const std::string mangled(text.substr(at));
    if (!is_mangled(mangled)) continue;
    const std::string out = demangled(mangled);
    if (out == mangled && has_prefix) continue;  // A name of a file may hold the two letters.
    if (out == mangled) return {mangled, mangled};
    if (!out.ends_with(')')) return {};  // Variables have no parameters.
    return {mangled, out.substr(out.starts_with(kResult) ? kResult.size() : 0)};
  }
  return {};
}

// Calls `visit` with each string of the data that consists of characters of names.
template <typename Visit>
void visit_names(std::string_view data, Visit visit) {
  for (std::size_t end = data.find('\0'); end != std::string_view::npos; end = data.find('\0')) {
    std::size_t begin = end;
    while (begin > 0 && in_name(data[begin - 1])) --begin;
    if (begin < end) visit(data.substr(begin, end - begin));
    data.remove_prefix(end + 1);
  }
}

class Finder {
 public:
  explicit Finder(const NameSet& known) : known_(known) {}

  void add_text(std::string_view text) {
    const std::size_t begin = std::min(text.find(kMangled), text.find(kRelocatable));
    if (begin <= kLongestNumber) {
      const std::string_view name = text.substr(begin);
      if (std::any_of(std::begin(kWithSource), std::end(kWithSource), [name](const char* mark) {
            return name.find(mark) != std::string_view::npos;
          })) {
        telling_.emplace(name);
      }
      const Function function = function_of(name);
      if (function.mangled.empty()) return;
      names_.emplace(name, function.signature);
      mangled_.insert(function.mangled);
    } else if (const auto found = known_.find(text); found != known_.end()) {
      names_.emplace(*found, *found);
    }
  }

  // After all texts. A stub is a C++ function, which the name of an extern "C" kernel does not
  // tell; but then the C++ name is not among the texts.
  void add_stub(std::string_view symbol, std::string_view file) {
    const std::string mangled = kernel_of_stub(symbol);
    if (mangled.empty()) return;
    has_stubs_ = true;
    if (const std::string source = source_of_host_code(file); !source.empty()) {
      sources_[mangled].insert(source);
    }
    const std::string plain(read_part(std::string_view(mangled).substr(kMangled.size())));
    const std::string signature = function_of(mangled).signature;
    // A template is never extern "C", and its stub may have another name for a lambda.
    if (plain.empty() || mangled_.count(mangled) != 0 || !signature.starts_with(plain + "("))
      return;
    names_[plain] = signature;
  }

  RegisteredKernels take() const {
    RegisteredKernels out;
    out.has_stubs = has_stubs_;
    out.telling = telling_;
    for (const auto& [name, signature] : names_) {
      const auto sources = sources_.find(name);
      out.list.push_back(
          {name, signature, sources == sources_.end() ? NameSet() : sources->second});
    }
    std::stable_sort(out.list.begin(), out.list.end(),
                     [](const RegisteredKernel& a, const RegisteredKernel& b) {
                       return a.signature < b.signature;
                     });
    return out;
  }

 private:
  const NameSet& known_;
  std::map<std::string, std::string> names_;  // Name: signature.
  std::map<std::string, NameSet> sources_;    // By the kernel's name.
  NameSet telling_;
  NameSet mangled_;
  bool has_stubs_ = false;
};

}  // namespace

RegisteredKernels registered_kernels(const ElfFile& file, std::string_view bytes,
                                     const NameSet& known) {
  Finder finder(known);
  for (const ElfSection& section : file.sections) {
    if (!holds_data(section)) continue;
    visit_names(contents_of(section, bytes),
                [&finder](std::string_view text) { finder.add_text(text); });
  }
  visit_symbols(file.path, bytes, [&finder](std::string_view symbol, std::string_view source) {
    finder.add_stub(symbol, source);
  });
  return finder.take();
}

std::string kernel_of_stub(std::string_view symbol) {
  if (!symbol.starts_with(kMangled)) return "";
  symbol.remove_prefix(kMangled.size());
  if (symbol.starts_with('L')) symbol.remove_prefix(1);  // Marks a static function.
  std::string_view name = read_part(symbol);
  if (!name.starts_with(kStub)) return "";
  const std::string_view parameters = symbol.substr(symbol.find(name) + name.size());
  name.remove_prefix(kStub.size());
  // A mangled name shares its underscore with the prefix.
  if (name.starts_with('Z')) return "_" + std::string(name);
  return std::string(kMangled) + std::to_string(name.size()) + std::string(name) +
         std::string(parameters);
}

std::string source_of_host_code(std::string_view file) {
  if (!file.ends_with(kHostCode)) return "";
  file.remove_suffix(kHostCode.size());
  if (!file.starts_with(kTemporary)) return std::string(file);
  // Two numbers, another one behind a dash, and the source.
  const std::size_t dash = file.find('-');
  const std::size_t begin = dash == std::string_view::npos ? dash : file.find('_', dash);
  return begin == std::string_view::npos ? "" : std::string(file.substr(begin + 1));
}

std::string demangled(const std::string& name) {
  // __cxa_demangle would read a single letter as a type.
  if (!name.starts_with(kMangled)) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return name;
  std::string out = text;
  std::free(text);
  return out;
}

}  // namespace torchada

#include "src/host/mtrtc/options.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace host_mtrtc {
namespace {

enum class Kind {
  kFolder,
  kFile,
  kDefine,
  kUndefine,
  kStandard,
  kArchitecture,
  kDefaultDevice,
  kPassed,   // to the compiler
  kIgnored,  // nothing to do here
};

struct Option {
  std::string_view name;
  Kind kind;
  // How its value is written: after "=", behind the name, as the next word.
  bool equals = false, joined = false, next = false;
};

// Names of mcc's, which is clang's, and those of NVRTC that Paddle's port gives to MTRTC.
constexpr Option kOptions[] = {
    {"-I", Kind::kFolder, false, true, true},
    {"-isystem", Kind::kFolder, false, true, true},
    {"--include-path", Kind::kFolder, true, false, true},
    {"-include", Kind::kFile, false, false, true},
    {"--pre-include", Kind::kFile, true, false, true},
    {"-D", Kind::kDefine, false, true, true},
    {"--define-macro", Kind::kDefine, true, false, true},
    {"-U", Kind::kUndefine, false, true, true},
    {"--undefine-macro", Kind::kUndefine, true, false, true},
    {"-std", Kind::kStandard, true, false, false},
    {"--std", Kind::kStandard, true, false, true},
    {"--offload-arch", Kind::kArchitecture, true, false, false},
    {"--gpu-architecture", Kind::kArchitecture, true, false, true},
    {"-arch", Kind::kArchitecture, true, false, true},
    {"--device-as-default-execution-space", Kind::kDefaultDevice},
    {"-default-device", Kind::kDefaultDevice},
    {"-ftemplate-depth", Kind::kPassed, true, false, false},
    // The stand-in optimises always, is exact but for what -ffp-contract allows, and has no
    // debugger for device code.
    {"-O0", Kind::kIgnored},
    {"-O1", Kind::kIgnored},
    {"-O2", Kind::kIgnored},
    {"-O3", Kind::kIgnored},
    {"-g", Kind::kIgnored},
    {"-w", Kind::kIgnored},
    {"-W", Kind::kIgnored, false, true, false},
    {"-ffast-math", Kind::kIgnored},
    {"-ffp-contract", Kind::kPassed, true, false, false},
    {"-fgpu-flush-denormals-to-zero", Kind::kIgnored},
    {"-mtgpu", Kind::kIgnored},
    {"--cuda-device-only", Kind::kIgnored},
    {"-x", Kind::kIgnored, false, false, true},
};

constexpr std::string_view kArchitectures[] = {"mp_21", "mp_22", "mp_31"};
// C++17 is the oldest that the headers for device code can be read with. Programs for an older one
// are compiled for that.
constexpr std::string_view kOldStandards[] = {"c++03", "c++11", "c++14"};
constexpr std::string_view kStandards[] = {"c++17", "c++20", "c++23"};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool append(const Option& option, const std::string& value, std::vector<std::string>* flags,
            std::string* log) {
  switch (option.kind) {
    case Kind::kFolder:
      flags->push_back("-I" + value);
      break;
    case Kind::kFile:
      flags->insert(flags->end(), {"-include", (value.rfind('-', 0) == 0 ? "./" : "") + value});
      break;
    case Kind::kDefine:
      flags->push_back("-D" + value);
      break;
    case Kind::kUndefine:
      flags->push_back("-U" + value);
      break;
    case Kind::kPassed:
      flags->push_back(std::string(option.name) + "=" + value);
      break;
    case Kind::kDefaultDevice:
      flags->push_back("--default-device");
      break;
    case Kind::kIgnored:
      break;
    case Kind::kStandard: {
      const std::string plain = value.rfind("gnu", 0) == 0 ? "c" + value.substr(3) : value;
      if (!contains(kOldStandards, plain) && !contains(kStandards, plain)) {
        *log += "mtrtc: error: " + std::string(option.name) + "=" + value +
                ": expected c++03, c++11, c++14, c++17, c++20 or c++23\n";
        return false;
      }
      flags->push_back("-std=" + (contains(kOldStandards, plain) ? "c++17" : plain));
      break;
    }
    case Kind::kArchitecture:
      if (!contains(kArchitectures, value)) {
        *log += "mtrtc: error: " + std::string(option.name) + "=" + value +
                ": expected mp_21, mp_22 or mp_31\n";
        return false;
      }
      flags->push_back("--arch=" + value);
      break;
  }
  return true;
}

}  // namespace

bool read_options(const std::vector<std::string>& options, std::vector<std::string>* flags,
                  std::string* log) {
  bool good = true;
  const char* const own = secure_getenv("TORCHADA_HOST_ARCH");
  if (own != nullptr && contains(kArchitectures, own))
    flags->push_back("--arch=" + std::string(own));
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    const Option* found = nullptr;
    std::string value;
    for (const Option& option : kOptions) {
      if (word.compare(0, option.name.size(), option.name) != 0) continue;
      const std::string rest = word.substr(option.name.size());
      const bool has_value = option.equals || option.joined || option.next;
      if (rest.empty() && (option.next || !has_value)) {
        found = &option;
      } else if (option.equals && !rest.empty() && rest.front() == '=') {
        found = &option;
        value = rest.substr(1);
      } else if (option.joined && !rest.empty()) {
        found = &option;
        value = rest;
      } else {
        continue;
      }
      break;
    }
    if (found == nullptr) {
      *log += "mtrtc: error: unknown option '" + word + "'\n";
      good = false;
      continue;
    }
    if (found->next && value.empty()) {
      if (i + 1 == options.size()) {
        *log += "mtrtc: error: option '" + word + "' has no value\n";
        good = false;
        continue;
      }
      value = options[++i];
    }
    good = append(*found, value, flags, log) && good;
  }
  return good;
}

}  // namespace host_mtrtc

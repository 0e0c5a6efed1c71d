#include "src/companion/native_stack.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <libunwind.h>
#include <link.h>
#include <spdlog/fmt/fmt.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace torchada {
namespace {

constexpr std::size_t kMostFrames = 128;

// A place in the source; unknown parts are empty or zero.
struct Place {
  std::string function, file;
  int line = 0;
};

struct Object {
  std::string path;
  std::uintptr_t base = 0;
};

Object object_of(std::uintptr_t address) {
  Dl_info info;
  void* extra = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &info, &extra, RTLD_DL_LINKMAP) == 0) return {};
  const auto* map = static_cast<const link_map*>(extra);
  Object out = {info.dli_fname ? info.dli_fname : "",
                reinterpret_cast<std::uintptr_t>(info.dli_fbase)};
  if (map && map->l_name && *map->l_name == '\0') {
    // This is the program itself. The loader only knows the name by which it was started.
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) out.path = program;
  }
  return out;
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

// Files without symbols are common.
void ignore_error(void*, const char*, int) {}

// Addresses of the calls, not of their returns; innermost first.
std::vector<std::uintptr_t> calls_of_this_thread() {
  std::vector<std::uintptr_t> out;
  unw_context_t context;
  unw_cursor_t cursor;
  if (unw_getcontext(&context) != 0 || unw_init_local(&cursor, &context) != 0) return out;
  while (out.size() < kMostFrames && unw_step(&cursor) > 0) {
    unw_word_t address = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0) break;
    // A signal interrupts before an instruction; a call returns after it.
    const std::uintptr_t behind_call = unw_is_signal_frame(&cursor) > 0 ? 0 : 1;
    out.push_back(static_cast<std::uintptr_t>(address) - behind_call);
  }
  return out;
}

int add_place(void* data, std::uintptr_t, const char* file, int line, const char* function) {
  if (!file && !function) return 0;
  static_cast<std::vector<Place>*>(data)->push_back(
      {function ? demangled(function) : "", file ? file : "", line});
  return 0;
}

struct Name {
  std::string function;
  std::uintptr_t offset = 0;
};

void take_name(void* data, std::uintptr_t address, const char* name, std::uintptr_t value,
               std::uintptr_t) {
  if (name) *static_cast<Name*>(data) = {demangled(name), address - value};
}

// Innermost first. Several if calls were inlined; always at least one.
std::vector<Place> places_of(backtrace_state* state, std::uintptr_t address) {
  std::vector<Place> out;
  backtrace_pcinfo(state, address, add_place, ignore_error, &out);
  if (out.empty()) out.emplace_back();
  Name name;
  backtrace_syminfo(state, address, take_name, ignore_error, &name);
  if (name.function.empty()) return out;
  // Debugging information lacks namespaces and arguments, so the symbol's name is better.
  out.back().function = std::move(name.function);
  if (out.back().file.empty()) out.back().function += fmt::format("+{:#x}", name.offset);
  return out;
}

std::string written(std::size_t number, std::uintptr_t address, const Place& place,
                    const Object& object) {
  std::string out = fmt::format("  #{} {:#018x}", number, address);
  if (!place.function.empty()) out += " in " + place.function;
  if (!place.file.empty()) out += fmt::format(" at {}:{}", place.file, place.line);
  if (!object.path.empty()) out += fmt::format(" ({}+{:#x})", object.path, address - object.base);
  return out;
}

}  // namespace

void say_native_stack(const void* inside, const SayLine& say) {
  backtrace_state* state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  if (!state) return say("  out of memory: no backtrace");
  const std::vector<std::uintptr_t> frames = calls_of_this_thread();
  const std::uintptr_t asking = object_of(reinterpret_cast<std::uintptr_t>(inside)).base;
  const std::uintptr_t own = object_of(reinterpret_cast<std::uintptr_t>(&say_native_stack)).base;
  std::size_t number = 0;
  bool begun = false;
  for (const std::uintptr_t address : frames) {
    const Object object = object_of(address);
    begun = begun || (object.base != asking && object.base != own);
    if (!begun) continue;
    for (const Place& place : places_of(state, address)) {
      say(written(number++, address, place, object));
    }
  }
  if (!begun) say("  the calling functions cannot be determined");
  if (frames.size() >= kMostFrames) say("  ...");
}

}  // namespace torchada

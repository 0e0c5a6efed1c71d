#include "stubs/kernels/demangled.h"

#include "stubs/system/loader.h"

namespace torchada::kernels {
namespace {

// dlsym's RTLD_DEFAULT, which dlfcn.h has for GNU alone: all that the program has loaded.
constexpr void* kWholeProgram = nullptr;

constexpr char kVoid[] = "void ";

void append_name(const char* name, ShownName* out) {
  constexpr size_t kMost = 480;
  const size_t length = strlen(name);
  out->append(name, length > kMost ? kMost : length);
  if (length > kMost) *out << "...";
}

}  // namespace

ShownName shown_name(const char* name) {
  using Demangle = char* (*)(const char*, char*, size_t*, int*);
  using Free = void (*)(void*);
  ShownName out;
  char* text = nullptr;
  if (name[0] == '_' && name[1] == 'Z') {
    const auto demangle = reinterpret_cast<Demangle>(find_symbol(kWholeProgram, "__cxa_demangle"));
    const auto release = reinterpret_cast<Free>(find_symbol(kWholeProgram, "free"));
    if (!demangle) why_not_opened();  // The program shall not find this error in dlerror.
    int status = 0;
    if (demangle && release) text = demangle(name, nullptr, nullptr, &status);
    if (text) {
      // Of a template. All kernels return nothing, and `torchada kernels list` leaves it out.
      const bool returns = strncmp(text, kVoid, sizeof kVoid - 1) == 0;
      append_name(text + (returns ? sizeof kVoid - 1 : 0), &out);
      release(text);
      return out;
    }
  }
  append_name(name, &out);
  return out;
}

}  // namespace torchada::kernels

#include "src/shared/nvcc_name.h"

#include <string.h>

#include "src/shared/mangled_name.h"

namespace torchada::kernels {
namespace {

constexpr const char kRelocatable[] = "__nv_static_";
static_assert(kMostInner + 1 == MangledName::kAllInner);

bool starts_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

// After "__nv_static_N_" and N characters, and one more: what they were put before.
const char* without_relocatable(const char* name) {
  if (!starts_with(name, kRelocatable)) return name;
  size_t length = 0;
  const char* at = name + sizeof kRelocatable - 1;
  if (!is_digit(*at)) return name;
  for (; is_digit(*at) && length < 65536; ++at) {
    length = length * 10 + static_cast<size_t>(*at - '0');
  }
  if (*at != '_' || strnlen(at, length + 3) < length + 3) return name;
  return at[length + 1] == '_' ? at + length + 2 : name;
}

// What fbaae8a4_4_a_cu_main begins with.
SourceName source_at(const char* at) {
  const char* const hash = at;
  while (is_hex(*at)) ++at;
  if (at == hash || *at++ != '_' || !is_digit(*at)) return {};
  size_t length = 0;
  for (; is_digit(*at) && length <= kLongestSource; ++at) {
    length = length * 10 + static_cast<size_t>(*at - '0');
  }
  if (*at++ != '_' || length == 0 || length > kLongestSource ||
      strnlen(at, length + 1) < length + 1)
    return {};
  for (size_t i = 0; i < length; ++i) {
    if (in_source_name(at[i]) != at[i]) return {};
  }
  return at[length] == '_' ? SourceName{at, length} : SourceName{};
}

}  // namespace

char in_source_name(char c) {
  const bool is_kept = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return is_kept ? c : '_';
}

bool is_same(const SourceName& one, const SourceName& other) {
  return one.length == other.length && memcmp(one.text, other.text, one.length) == 0;
}

SourceName source_in(const char* name) {
  if (const char* const bare = without_relocatable(name); bare != name) {
    const char* const length = name + sizeof kRelocatable - 1;
    const char* const id = length + strspn(length, "0123456789");
    if (starts_with(id, "__")) return source_at(id + 2);
  }
  // All names of a module are read at the first use of one, so most characters are passed quickly.
  for (const char* at = name; *at; ++at) {
    if (*at != '_' || (at[1] != 'G' && at[1] != 'I')) continue;
    const bool is_unnamed = starts_with(at, kUnnamed);
    if (!is_unnamed && !starts_with(at, kInternal)) continue;
    const char* const id = at + strlen(is_unnamed ? kUnnamed : kInternal);
    const SourceName source = source_at(id + (*id == '_'));
    if (source.text) return source;
  }
  return {};
}

size_t clang_name(const char* name, unsigned variant, char* out, size_t room) {
  const char* const bare = without_relocatable(name);
  const bool is_static = variant % 2 != 0;
  const unsigned inner = variant / 2;
  if (starts_with(bare, "_Z")) {
    MangledName parsed(bare, out, room);
    parsed.mark_static(is_static, inner);
    return parsed.rewrite() && parsed.is_internal() ? parsed.length() : 0;
  }
  // A variable, or declared extern "C".
  if (!is_static || inner != 0 || bare[0] == '\0' || is_digit(bare[0])) return 0;
  NameText text(out, room);
  text.add("_ZL", 3);
  text.add_number(strlen(bare));
  text.add(bare, strlen(bare));
  return text.end();
}

// "_ZL" and a length before a name that is not mangled; one character more for each unnamed
// namespace, which has 13, and for each static function.
size_t room_for_clang_name(const char* name) {
  const size_t length = strlen(name);
  return length + length / 4 + 32;
}

bool is_internal(const char* name) {
  if (!starts_with(name, "_Z")) return false;
  MangledName parsed(name, nullptr, 0);
  return parsed.rewrite() && parsed.is_internal();
}

}  // namespace torchada::kernels

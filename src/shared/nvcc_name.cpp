#include "src/shared/nvcc_name.h"

#include <string.h>

namespace torchada::kernels {
namespace {

constexpr const char kUnnamed[] = "_GLOBAL__N_";
constexpr const char kClangsUnnamed[] = "12_GLOBAL__N_1";
constexpr const char kInternal[] = "_INTERNAL_";
constexpr const char kRelocatable[] = "__nv_static_";

bool starts_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads a length and that many characters, as in "4name". Returns what follows, and sets `name` to
// the characters. Null if there is no such thing.
const char* read_part(const char* at, const char** name) {
  size_t length = 0;
  if (!is_digit(*at)) return nullptr;
  for (; is_digit(*at); ++at) {
    length = length * 10 + static_cast<size_t>(*at - '0');
    if (length > 65536) return nullptr;
  }
  *name = at;
  return strnlen(at, length) == length ? at + length : nullptr;
}

class Text {
 public:
  Text(char* out, size_t room) : out_(out), room_(room) {}

  void add(const char* text, size_t length) {
    if (length >= room_ - size_) {
      full_ = true;
      return;
    }
    memcpy(out_ + size_, text, length);
    size_ += length;
  }
  void add(const char* text) { add(text, strlen(text)); }
  // Up to `to`, which lies in the same text.
  void add(const char* from, const char* to) { add(from, static_cast<size_t>(to - from)); }
  void add_number(size_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while (number /= 10);
    add(digits + at, sizeof digits - at);
  }
  // The length; 0 if not all had room.
  size_t end() {
    if (full_) return 0;
    out_[size_] = '\0';
    return size_;
  }

 private:
  char* out_;
  size_t room_;
  size_t size_ = 0;
  bool full_ = false;
};

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

// Whether `text` refers to an earlier part of the name. A part that is left out would change the
// number.
bool has_reference(const char* text) {
  for (const char* s = strchr(text, 'S'); s; s = strchr(s + 1, 'S')) {
    const char* at = s + 1;
    while (is_digit(*at) || (*at >= 'A' && *at <= 'Z')) ++at;
    if (*at == '_') return true;
  }
  return false;
}

// Writes the text up to `end`, with clang's form of unnamed namespaces.
void add_renamed(const char* from, const char* end, Text* out) {
  const char* at = from;
  while (const auto* const found = static_cast<const char*>(
             memmem(at, static_cast<size_t>(end - at), kUnnamed, sizeof kUnnamed - 1))) {
    const char* length = found;
    while (length > from && is_digit(length[-1])) --length;
    const char* name = nullptr;
    const char* const after = read_part(length, &name);
    at = found + 1;
    if (!after || name != found || after > end) continue;
    out->add(from, length);
    out->add(kClangsUnnamed);
    from = at = after;
  }
  out->add(from, end);
}

// The parts of "2ns1kE..." or "2ns1kI...", what follows _ZN. False for other forms.
struct Nested {
  size_t parts = 0;
  bool has_unnamed = false;
  const char* last = nullptr;   // Where its length begins.
  const char* after = nullptr;  // The last part.
};

bool read_nested(const char* at, Nested* out) {
  while (is_digit(*at)) {
    const char* name = nullptr;
    const char* const after = read_part(at, &name);
    if (!after) return false;
    if (starts_with(name, kUnnamed)) out->has_unnamed = true;
    out->last = at;
    out->after = at = after;
    ++out->parts;
  }
  return out->parts > 0 && (*at == 'E' || *at == 'I');
}

// `name` is not mangled.
void add_plain(const char* name, bool is_static, Text* out) {
  if (is_static) {
    out->add("_ZL");
    out->add_number(strlen(name));
  }
  out->add(name);
}

// `parts` is what follows _ZN. False if there is no such name.
bool add_nested(const char* parts, bool is_static, Text* out) {
  const char* name = nullptr;
  const char* const after = read_part(parts, &name);
  const bool is_internal = after && starts_with(name, kInternal);
  if (is_internal) {
    if (has_reference(after)) return false;
    parts = after;
  }
  Nested nested;
  if (!read_nested(parts, &nested)) return false;
  // clang marks what is declared static, but not what is in an unnamed namespace.
  if (is_static && nested.has_unnamed) return false;
  const bool is_alone = is_internal && nested.parts == 1;
  if (is_alone && *nested.after != 'E') return false;
  out->add(is_alone ? "_Z" : "_ZN");
  add_renamed(parts, nested.last, out);
  if (is_static) out->add("L");
  const char* const end = nested.last + strlen(nested.last);
  if (is_alone) {
    out->add(nested.last, nested.after);
    // A variable has no parameters, and outside of namespaces nothing ends its name.
    add_renamed(nested.after + 1, end, out);
  } else {
    add_renamed(nested.last, end, out);
  }
  return true;
}

}  // namespace

size_t clang_name(const char* name, bool is_static, char* out, size_t room) {
  const char* const bare = without_relocatable(name);
  Text text(out, room);
  if (!starts_with(bare, "_Z")) {
    add_plain(bare, is_static, &text);
  } else if (bare[2] == 'N') {
    if (!add_nested(bare + 3, is_static, &text)) return 0;
  } else if (const char* part = nullptr; read_part(bare + 2, &part)) {
    text.add(is_static ? "_ZL" : "_Z");
    add_renamed(bare + 2, bare + strlen(bare), &text);
  } else {
    return 0;
  }
  const size_t length = text.end();
  return length != 0 && strcmp(out, name) != 0 ? length : 0;
}

// "_ZL" and a length before a name that is not mangled; clang's other parts are never longer.
size_t room_for_clang_name(const char* name) { return strlen(name) + 32; }

}  // namespace torchada::kernels

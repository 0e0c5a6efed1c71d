#include "src/shared/library_name.h"

#include <string.h>

namespace torchada {
namespace {

// auditwheel and PyTorch's builds use the first eight digits of a SHA-256; torchvision's puts a dot
// before them.
constexpr size_t kShortestHash = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hash_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

// Length of `name` without a trailing "-<hash>" or ".<hash>".
size_t length_without_hash(const char* name, size_t length) {
  size_t start = length;
  while (start > 0 && is_hash_digit(name[start - 1])) --start;
  const bool hash = length - start >= kShortestHash && start > 1 &&
                    (name[start - 1] == '-' || name[start - 1] == '.');
  return hash ? start - 1 : length;
}

bool is_version(const char* text) {
  for (;;) {
    if (!is_digit(*text)) return false;
    while (is_digit(*text)) ++text;
    if (*text == '\0') return true;
    if (*text++ != '.') return false;
  }
}

}  // namespace

bool LibraryName::stem_is(const char* text) const {
  return strlen(text) == stem_length && memcmp(text, stem, stem_length) == 0;
}

bool LibraryName::same_major(const LibraryName& other) const {
  return major_length == other.major_length && version && other.version &&
         memcmp(version, other.version, major_length) == 0;
}

const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool parse_library_name(const char* base, LibraryName* out) {
  if (strncmp(base, "lib", 3) != 0) return false;
  const char* suffix = strstr(base, ".so");
  if (!suffix) return false;
  const size_t length = static_cast<size_t>(suffix - base);
  *out = LibraryName();
  out->stem = base;
  out->stem_length = length_without_hash(base, length);
  out->renamed = out->stem_length != length;
  if (suffix[3] == '\0') return true;
  if (suffix[3] != '.' || !is_version(suffix + 4)) return false;
  out->version = suffix + 4;
  out->major_length = strspn(out->version, "0123456789");
  return true;
}

}  // namespace torchada

// Text from files, devices and the environment, made safe to print. A name may hold escape
// sequences for a terminal, line feeds that fake a line of ours, or characters that reorder what
// is read. Header only: the libraries have no libstdc++.
#pragma once

#include <stddef.h>

namespace torchada {

// Length in bytes of the character at `text` of `size` bytes if it is well-formed UTF-8, and its
// number; otherwise 0.
inline size_t character_at(const char* text, size_t size, unsigned* number) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    *number = first;
    return 1;
  }
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > size) return 0;
  unsigned out = first & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    out = out << 6 | (byte(i) & 0x3f);
  }
  constexpr unsigned kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (out < kSmallest[length] || out > 0x10ffff || (out >= 0xd800 && out < 0xe000)) return 0;
  *number = out;
  return length;
}

// Control characters, marks that change the direction of text, and characters without width.
inline bool is_printable(unsigned number) {
  if (number < 0x20 || (number >= 0x7f && number < 0xa0)) return false;
  if (number == 0xad || number == 0x61c || number == 0x180e || number == 0xfeff) return false;
  if (number >= 0x200b && number <= 0x200f) return false;
  if (number >= 0x2028 && number <= 0x202e) return false;
  if (number >= 0x2060 && number <= 0x206f) return false;
  return number < 0xe0000;  // Beyond are invisible tags and private characters.
}

// Appends `text` to `out`, which has append(const char*, size_t): characters that are not
// printable as "\n", "\t", "\x1b" or "\u{202e}", and bytes that are not UTF-8 as "\xff". A
// backslash stays as it is.
template <typename Out>
void append_printable(Out* out, const char* text, size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto is_plain = [](char letter) { return letter >= ' ' && letter <= '~'; };
  for (size_t at = 0; at < size;) {
    size_t plain = at;
    while (plain < size && is_plain(text[plain])) ++plain;
    if (plain > at) {
      out->append(text + at, plain - at);
      at = plain;
      continue;
    }
    unsigned number = 0;
    const size_t length = character_at(text + at, size - at, &number);
    if (length != 0 && is_printable(number)) {
      out->append(text + at, length);
    } else if (length == 1 && (number == '\n' || number == '\t')) {
      out->append(number == '\n' ? "\\n" : "\\t", 2);
    } else if (length > 1) {
      out->append("\\u{", 3);
      int shift = 20;
      while (shift > 12 && number >> shift == 0) shift -= 4;
      for (; shift >= 0; shift -= 4) out->append(&kDigits[number >> shift & 0xf], 1);
      out->append("}", 1);
    } else {
      const auto byte = static_cast<unsigned char>(text[at]);
      const char escaped[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 0xf]};
      out->append(escaped, sizeof escaped);
    }
    at += length == 0 ? 1 : length;
  }
}

}  // namespace torchada

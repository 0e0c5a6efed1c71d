#include "src/host/mtrtc/readable.h"

namespace host_mtrtc {
namespace {

unsigned char byte(const std::string& text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// The bytes of the character that begins here; 0 if none does.
std::size_t length(const std::string& text, std::size_t at) {
  const unsigned char first = byte(text, at);
  if (first < 0x80)
    return (first >= ' ' && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
  const std::size_t size = first >= 0xf5   ? 0
                           : first >= 0xf0 ? 4
                           : first >= 0xe0 ? 3
                           : first >= 0xc2 ? 2
                                           : 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(text, at + i) & 0xc0) != 0x80) return 0;
  }
  // Longer than needed, halves of pairs, too large, and the controls of Latin-1.
  const unsigned char second = byte(text, at + 1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f) ||
                     (first == 0xc2 && second < 0xa0);
  return wrong ? 0 : size;
}

}  // namespace

std::string readable(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = length(text, at);
    out += size == 0 ? "?" : text.substr(at, size);
    at += size == 0 ? 1 : size;
  }
  return out;
}

}  // namespace host_mtrtc

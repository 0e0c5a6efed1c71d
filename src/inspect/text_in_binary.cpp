#include "src/inspect/text_in_binary.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstring>
#include <set>

namespace torchada {
namespace {

constexpr std::size_t kLongest = 4096;  // Longest path.

bool is_printable(char letter) { return letter >= ' ' && letter <= '~'; }

// Whether `text`, which follows ".so", is empty or consists of numbers after dots.
bool is_version(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool dot = text[at] == '.';
    if (!dot && (text[at] < '0' || text[at] > '9')) return false;
    if (dot && (at + 1 == text.size() || text[at + 1] == '.')) return false;
  }
  return text.empty() || text[0] == '.';
}

// Where `text` begins in the data, or null. Large libraries have tens of megabytes to search, and
// memmem looks at one position at a time.
const char* find(std::string_view data, std::string_view text) {
  if (data.empty()) return nullptr;  // memmem must not be given a null pointer.
  const char* at = data.data();
  const char* const end = at + data.size();
#ifdef __SSE2__
  // Sixteen positions at a time, by the first and the last byte. That of the last position must
  // still be in the range.
  const std::size_t last = text.size() - 1;
  const __m128i begins = _mm_set1_epi8(text.front());
  const __m128i ends = _mm_set1_epi8(text.back());
  const auto room = static_cast<std::ptrdiff_t>(16 + last);
  for (; end - at >= room; at += 16) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i other = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + last));
    const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(first, begins), _mm_cmpeq_epi8(other, ends));
    for (auto places = static_cast<unsigned>(_mm_movemask_epi8(both)); places != 0;
         places &= places - 1) {
      const char* hit = at + __builtin_ctz(places);
      if (memcmp(hit, text.data(), text.size()) == 0) return hit;
    }
  }
#endif
  return static_cast<const char*>(
      memmem(at, static_cast<std::size_t>(end - at), text.data(), text.size()));
}

constexpr std::size_t kLongestIdentifier = 128;

bool in_identifier(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         (letter >= '0' && letter <= '9');
}

// Calls `visit` with each place where a string begins that has a null behind it, or has two
// letters.
template <typename Visit>
void visit_beginnings(std::string_view data, Visit visit) {
  if (data.size() < 2) return;
  const char* at = data.data();
  const char* const end = at + data.size() - 1;  // One letter follows.
  if (*at != '\0') visit(at);
  ++at;
#ifdef __SSE2__
  const __m128i null = _mm_setzero_si128();
  for (; end - at >= 16; at += 16) {
    const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at - 1));
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i begins =
        _mm_andnot_si128(_mm_cmpeq_epi8(here, null), _mm_cmpeq_epi8(before, null));
    for (auto places = static_cast<unsigned>(_mm_movemask_epi8(begins)); places != 0;
         places &= places - 1) {
      visit(at + __builtin_ctz(places));
    }
  }
#endif
  for (; at < end; ++at) {
    if (at[-1] == '\0' && *at != '\0') visit(at);
  }
}

// Calls `visit` with each whole string that consists of identifiers and dots, and whose two first
// letters `begins` accepts.
template <typename Begins, typename Visit>
void visit_words(std::string_view data, Begins begins, Visit visit) {
  const char* const end = data.data() + data.size();
  visit_beginnings(data, [&](const char* at) {
    if (!begins(at[0], at[1])) return;
    const char* last = at;
    const char* const most =
        end - at > static_cast<std::ptrdiff_t>(kLongestIdentifier) ? at + kLongestIdentifier : end;
    while (last < most && (in_identifier(*last) || *last == '.')) ++last;
    if (last < end && *last == '\0')
      visit(std::string_view(at, static_cast<std::size_t>(last - at)));
  });
}

}  // namespace

void visit_identifiers(std::string_view data, const Beginnings& beginnings,
                       const std::function<void(std::string_view)>& visit) {
  visit_words(
      data, [&beginnings](char first, char second) { return beginnings.has(first, second); },
      [&visit](std::string_view word) {
        if (word.find('.') == std::string_view::npos) visit(word);
      });
}

void visit_dotted_names(std::string_view data, const std::function<void(std::string_view)>& visit) {
  visit_words(
      data,
      [](char first, char second) {
        return in_identifier(first) && (first < '0' || first > '9') &&
               (in_identifier(second) || second == '.');
      },
      [&visit](std::string_view word) {
        const std::size_t dot = word.find('.');
        if (dot == std::string_view::npos || word.back() == '.') return;
        if (word.find("..") == std::string_view::npos) visit(word);
      });
}

std::vector<std::string> library_strings(std::string_view data) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  const char* const begin = data.data();
  const char* const end = begin + data.size();
  const char* at = begin;
  while (true) {
    const char* hit = find({at, static_cast<std::size_t>(end - at)}, ".so");
    if (hit == nullptr) return out;
    at = hit + 3;
    const char* last = at;
    while (last < end && is_printable(*last) && last - at < 64) ++last;
    // A name ends with a null. Otherwise this is text that mentions a library.
    if (last == end || *last != '\0' || !is_version({at, static_cast<std::size_t>(last - at)})) {
      continue;
    }
    const char* first = hit;
    while (first > begin && is_printable(first[-1]) &&
           hit - first < static_cast<std::ptrdiff_t>(kLongest)) {
      --first;
    }
    std::string text(first, last);
    if (seen.insert(text).second) out.push_back(text);
  }
}

std::size_t find_text(std::string_view data, std::string_view text) {
  const char* const hit = find(data, text);
  return hit == nullptr ? std::string_view::npos : static_cast<std::size_t>(hit - data.data());
}

bool has_string(std::string_view data, std::string_view text) {
  const char* const begin = data.data();
  const char* const end = begin + data.size();
  const char* at = begin;
  while (true) {
    const char* hit = find({at, static_cast<std::size_t>(end - at)}, text);
    if (hit == nullptr) return false;
    at = hit + 1;
    const char* after = hit + text.size();
    if ((hit == begin || hit[-1] == '\0') && after < end && *after == '\0') return true;
  }
}

}  // namespace torchada

#include "src/inspect/text_in_binary.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstdint>
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

#ifdef __SSE2__
constexpr std::ptrdiff_t kPlaces = 64;

// A bit for each of 64 bytes, that of the first byte lowest: whether it is a null, and whether it
// is a letter or one of the ten other characters of ASCII from '@' on.
struct Letters {
  std::uint64_t nulls = 0;
  std::uint64_t letters = 0;
};

Letters letters_in(const char* at) {
  Letters out;
#pragma GCC unroll 4
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
    const int nulls = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    const int letters = _mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('@' - 1)));
    out.nulls |= static_cast<std::uint64_t>(static_cast<unsigned>(nulls)) << 16 * i;
    out.letters |= static_cast<std::uint64_t>(static_cast<unsigned>(letters)) << 16 * i;
  }
  return out;
}

// Looks for a text at 64 places at a time, by its first and its last byte.
class BlockSearch {
 public:
  explicit BlockSearch(std::string_view text)
      : text_(text), first_(_mm_set1_epi8(text.front())), last_(_mm_set1_epi8(text.back())) {}

  // Bytes that a block needs: that of the last place must have its last byte.
  std::ptrdiff_t room() const { return kPlaces - 1 + static_cast<std::ptrdiff_t>(text_.size()); }

  // Whether both bytes fit at one of the places.
  bool may_be_in(const char* block) {
#pragma GCC unroll 4
    for (std::ptrdiff_t i = 0; i < 4; ++i) {
      const char* here = block + 16 * i;
      const char* there = here + text_.size() - 1;
      fits_[i] = _mm_and_si128(
          _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(here)), first_),
          _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(there)), last_));
    }
    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(fits_[0], fits_[1]),
                                          _mm_or_si128(fits_[2], fits_[3]))) != 0;
  }

  // After may_be_in(): calls `visit` with each place of the text, until that returns false.
  template <typename Visit>
  bool visit_in(const char* block, Visit visit) const {
    for (std::ptrdiff_t i = 0; i < 4; ++i) {
      for (auto places = static_cast<unsigned>(_mm_movemask_epi8(fits_[i])); places != 0;
           places &= places - 1) {
        const char* hit = block + 16 * i + __builtin_ctz(places);
        if (memcmp(hit, text_.data(), text_.size()) == 0 && !visit(hit)) return false;
      }
    }
    return true;
  }

 private:
  std::string_view text_;
  __m128i first_, last_;
  __m128i fits_[4];
};
#endif

// Where `text` begins in the data, or null. Large libraries have tens of megabytes to search, and
// memmem looks at one position at a time.
const char* find(std::string_view data, std::string_view text) {
  if (data.empty()) return nullptr;  // memmem must not be given a null pointer.
  const char* at = data.data();
  const char* const end = at + data.size();
#ifdef __SSE2__
  BlockSearch search(text);
  const char* found = nullptr;
  for (; end - at >= search.room(); at += kPlaces) {
    if (!search.may_be_in(at)) continue;
    search.visit_in(at, [&found](const char* hit) {
      found = hit;
      return false;
    });
    if (found != nullptr) return found;
  }
#endif
  return static_cast<const char*>(
      memmem(at, static_cast<std::size_t>(end - at), text.data(), text.size()));
}

// Calls `visit` with each place where `text` begins, from `at` on.
template <typename Visit>
void visit_rest(const char* at, const char* end, std::string_view text, Visit visit) {
  while (const char* hit = find({at, static_cast<std::size_t>(end - at)}, text)) {
    visit(hit);
    at = hit + 1;
  }
}

// Calls `visit` with each place where `text` begins. Returns whether `mark` is in the data. To go
// twice through data that no cache holds takes longer than to compare twice.
template <typename Visit>
bool visit_places(std::string_view data, std::string_view text, std::string_view mark,
                  Visit visit) {
  const char* at = data.data();
  const char* const end = at + data.size();
  bool has_mark = false;
#ifdef __SSE2__
  BlockSearch texts(text);
  BlockSearch marks(mark);
  for (; end - at >= std::max(texts.room(), marks.room()); at += kPlaces) {
    if (texts.may_be_in(at)) {
      texts.visit_in(at, [&visit](const char* hit) {
        visit(hit);
        return true;
      });
    }
    if (has_mark || !marks.may_be_in(at)) continue;
    marks.visit_in(at, [&has_mark](const char*) { return !(has_mark = true); });
  }
#endif
  visit_rest(at, end, text, visit);
  return has_mark || find({at, static_cast<std::size_t>(end - at)}, mark) != nullptr;
}

constexpr std::size_t kLongestIdentifier = 128;

bool in_identifier(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         (letter >= '0' && letter <= '9');
}

// Calls `visit` with each place where a string of two letters or more begins, and with few others.
template <typename Visit>
void visit_beginnings(std::string_view data, Visit visit) {
  if (data.size() < 2) return;
  const char* at = data.data();
  const char* const end = at + data.size() - 1;  // One letter follows.
  std::uint64_t null_before = 1;                 // Or the beginning of the data.
#ifdef __SSE2__
  for (; end - at >= kPlaces; at += kPlaces) {
    const Letters block = letters_in(at);
    for (std::uint64_t places = block.letters & (block.nulls << 1 | null_before); places != 0;
         places &= places - 1) {
      visit(at + __builtin_ctzll(places));
    }
    null_before = block.nulls >> 63;
  }
#endif
  for (; at < end; ++at) {
    if (null_before != 0 && *at != '\0') visit(at);
    null_before = *at == '\0';
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

std::vector<std::string> library_strings(std::string_view data, std::string_view mark,
                                         bool& has_mark) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  const char* const begin = data.data();
  const char* const end = begin + data.size();
  has_mark |= visit_places(data, ".so", mark, [&](const char* hit) {
    const char* const version = hit + 3;
    const char* last = version;
    while (last < end && is_printable(*last) && last - version < 64) ++last;
    // A name ends with a null. Otherwise this is text that mentions a library.
    if (last == end || *last != '\0' ||
        !is_version({version, static_cast<std::size_t>(last - version)})) {
      return;
    }
    const char* first = hit;
    while (first > begin && is_printable(first[-1]) &&
           hit - first < static_cast<std::ptrdiff_t>(kLongest)) {
      --first;
    }
    std::string text(first, last);
    if (seen.insert(text).second) out.push_back(text);
  });
  return out;
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

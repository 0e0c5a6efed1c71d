#include "src/command/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace torchada {
namespace {

std::string lower(const std::string& text) {
  std::string out = text;
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Counts insertions, removals, replacements and swaps of neighbours. Returns `limit` + 1 if there
// are more.
std::size_t distance(const std::string& a, const std::string& b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
    before = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names,
                                 std::size_t most) {
  const std::string wanted = lower(word);
  if (wanted.empty()) return {};
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::string other = lower(name);
    // Typing only the start of a longer name is no mistake.
    const bool start = wanted.size() >= 3 && other.starts_with(wanted);
    const std::size_t far = start ? 0 : distance(wanted, other, limit);
    if (far <= limit) found.emplace_back(far, name);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
    return a.second < b.second;
  });
  std::vector<std::string> out;
  for (const auto& item : found) {
    if (out.size() == most) break;
    if (std::find(out.begin(), out.end(), item.second) == out.end()) out.push_back(item.second);
  }
  return out;
}

}  // namespace torchada

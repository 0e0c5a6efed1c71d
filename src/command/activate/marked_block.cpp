#include "src/command/activate/marked_block.h"

#include <algorithm>

#include "src/command/command.h"

namespace torchada::activate {
namespace {

constexpr char kBegin[] = "# >>> torchada >>>";
// We added the newline before this mark: the user's last line had none.
constexpr char kBeginWithNewline[] = "# >>> torchada >>> (behind a last line without its end)";
// The file existed before us, so deactivation keeps it.
constexpr char kBeginInEmptyFile[] = "# >>> torchada >>> (in a file that was empty)";
constexpr char kEnd[] = "# <<< torchada <<<";

struct Range {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
  bool found() const { return begin != std::string::npos; }
};

// The position of `line` as a whole line. `at` is where to start, at the start of a line.
std::size_t find_line(const std::string& text, const std::string& line, std::size_t at) {
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, end - at, line) == 0) return at;
    at = end + 1;
  }
  return std::string::npos;
}

Range find_block(const std::string& text, const std::string& file) {
  Range out;
  const std::size_t plain = find_line(text, kBegin, 0);
  const std::size_t joined = find_line(text, kBeginWithNewline, 0);
  out.begin = std::min({plain, joined, find_line(text, kBeginInEmptyFile, 0)});
  if (!out.found()) return out;
  const std::size_t end = find_line(text, kEnd, out.begin);
  if (end == std::string::npos) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<long>(out.begin), '\n');
    throw Failure(file + ":" + std::to_string(line) + ": '" + kBegin + "' is not followed by '" +
                  kEnd + "'; remove torchada's lines by hand");
  }
  out.end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return out;
}

}  // namespace

std::string with_block(const std::string& text, const std::string& lines, const std::string& file,
                       bool is_there) {
  const Range present = find_block(text, file);
  if (present.found()) {
    const std::size_t first = text.find('\n', present.begin) + 1;
    const std::size_t last = find_line(text, kEnd, first);
    return text.substr(0, first) + lines + text.substr(last);
  }
  std::string begin = kBegin;
  if (text.empty() && is_there) begin = kBeginInEmptyFile;
  if (!text.empty() && text.back() != '\n') begin = std::string("\n") + kBeginWithNewline;
  return text + begin + "\n" + lines + kEnd + "\n";
}

bool was_empty_before(const std::string& text) {
  return find_line(text, kBeginInEmptyFile, 0) != std::string::npos;
}

std::string without_block(const std::string& text, const std::string& file) {
  std::string out = text;
  for (Range block; (block = find_block(out, file)).found();) {
    const bool joined = find_line(out, kBeginWithNewline, block.begin) == block.begin;
    // If lines were appended after ours, they need that newline now.
    if (joined && block.end == out.size()) --block.begin;
    out.erase(block.begin, block.end - block.begin);
  }
  return out;
}

}  // namespace torchada::activate

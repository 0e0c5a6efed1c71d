#include "src/inspect/text_in_binary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace torchada {
namespace {

using std::literals::operator""s;
using std::literals::operator""sv;

TEST(TextInBinary, NothingIsFoundInNothing) {
  bool has_mark = false;
  EXPECT_TRUE(library_strings({}, "/cudart", has_mark).empty());
  EXPECT_FALSE(has_mark);
  EXPECT_FALSE(has_string({}, "libcuda.so.1"));
  EXPECT_EQ(find_text({}, "libcuda.so.1"), std::string_view::npos);
}

TEST(TextInBinary, StringsAreWholeTextsAreNot) {
  const std::string_view data = "\0/usr/lib/libcudart.so.12\0see libnccl.so for more\0"sv;
  bool has_mark = false;
  EXPECT_EQ(library_strings(data, "/cudart", has_mark),
            std::vector<std::string>{"/usr/lib/libcudart.so.12"});
  EXPECT_FALSE(has_mark);
  library_strings(data, "/libcudart", has_mark);
  EXPECT_TRUE(has_mark);
  EXPECT_TRUE(has_string(data, "/usr/lib/libcudart.so.12"));
  EXPECT_FALSE(has_string(data, "libcudart.so.12"));
  EXPECT_EQ(find_text(data, "libcudart.so.12"), 10U);
}

// Few different letters, so that much almost fits.
std::string random_data(std::mt19937& dice, std::size_t size) {
  std::string out;
  for (std::size_t at = 0; at < size; ++at) out += "\0\0abc_.s"[dice() % 8];
  return out;
}

// 64 bytes are looked at together: every place and every end must come out the same.
TEST(TextInBinary, FindsWhatTheStandardLibraryFinds) {
  std::mt19937 dice(1);
  for (int round = 0; round < 20000; ++round) {
    const std::string data = random_data(dice, dice() % 300);
    const std::string text = random_data(dice, 1 + dice() % 5);
    // Of its own size, so that a sanitizer sees a byte that is read behind it.
    const std::vector<char> bytes(data.begin(), data.end());
    ASSERT_EQ(find_text({bytes.data(), bytes.size()}, text), data.find(text)) << round;
  }
}

bool is_text(char letter) { return letter != '\0'; }

// Each whole string that ends in ".so", from the first letter on.
std::vector<std::string> expected_libraries(const std::string& data) {
  std::vector<std::string> out;
  for (std::size_t at = data.find(".so"); at != std::string::npos; at = data.find(".so", at + 1)) {
    if (at + 3 == data.size() || data[at + 3] != '\0') continue;
    std::size_t first = at;
    while (first > 0 && is_text(data[first - 1])) --first;
    const std::string text = data.substr(first, at + 3 - first);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
  }
  return out;
}

TEST(TextInBinary, FindsEachLibraryAndTheMark) {
  std::mt19937 dice(3);
  std::size_t names = 0;
  std::size_t marks = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string data = random_data(dice, dice() % 300);
    for (std::size_t left = dice() % 4; left > 0 && data.size() > 4; --left) {
      data.replace(dice() % (data.size() - 3), 4, ".so\0"s);
    }
    const std::string mark = random_data(dice, 1 + dice() % 5);
    const std::vector<char> bytes(data.begin(), data.end());
    bool has_mark = false;
    const std::vector<std::string> found =
        library_strings({bytes.data(), bytes.size()}, mark, has_mark);
    ASSERT_EQ(found, expected_libraries(data)) << round;
    ASSERT_EQ(has_mark, data.find(mark) != std::string::npos) << round;
    names += found.size();
    marks += has_mark;
  }
  EXPECT_GT(names, 10000U);
  EXPECT_GT(marks, 1000U);
  EXPECT_LT(marks, 19000U);
}

bool is_name(const std::string& text) {
  return text.find_first_not_of("abc_s") == std::string::npos;
}

TEST(TextInBinary, VisitsEachWholeIdentifierThatBeginsSo) {
  std::mt19937 dice(2);
  Beginnings beginnings;
  beginnings.add("abc");
  beginnings.add("_s");
  std::size_t found = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string data = random_data(dice, dice() % 300);
    std::vector<std::string> expected;
    for (std::size_t at = 0; at < data.size();) {
      const std::size_t end = data.find('\0', at);
      if (end == std::string::npos) break;  // It has no null behind it.
      const std::string word = data.substr(at, end - at);
      if ((word.starts_with("ab") || word.starts_with("_s")) && is_name(word)) {
        expected.push_back(word);
      }
      at = end + 1;
    }
    std::vector<std::string> visited;
    const std::vector<char> bytes(data.begin(), data.end());
    visit_identifiers({bytes.data(), bytes.size()}, beginnings,
                      [&](std::string_view word) { visited.emplace_back(word); });
    ASSERT_EQ(visited, expected) << round;
    found += visited.size();
  }
  EXPECT_GT(found, 1000U);
}

TEST(TextInBinary, DottedNamesHaveADotWithin) {
  const std::string_view data =
      "a.b.c\0.a\0a.\0a..b\0ab\0x.y z\0_q.w1\0"
      "1a.b\0"sv;
  std::vector<std::string> visited;
  visit_dotted_names(data, [&](std::string_view word) { visited.emplace_back(word); });
  EXPECT_EQ(visited, (std::vector<std::string>{"a.b.c", "_q.w1"}));
}

}  // namespace
}  // namespace torchada

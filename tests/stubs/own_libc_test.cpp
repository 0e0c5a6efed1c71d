// The string functions of stubs/system/own_libc.cpp, which read whole words, against a plain loop:
// at every distance from a page that cannot be read, and from every alignment.
#include "stubs/system/own_libc.cpp"

#include <gtest/gtest.h>

namespace {

constexpr size_t kPage = 4096, kMost = 40;

size_t plain_length(const char* text) {
  const volatile char* at = text;
  while (*at) ++at;
  return static_cast<size_t>(at - text);
}

// Text of `length` characters whose end is the last byte before a page that cannot be read.
class BeforeTheEnd {
 public:
  BeforeTheEnd() {
    pages_ = static_cast<char*>(
        mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    system_call(SYS_mprotect, pages_ + kPage, kPage, PROT_NONE);
  }
  ~BeforeTheEnd() { munmap(pages_, 2 * kPage); }
  char* text(size_t length) {
    char* const start = pages_ + kPage - 1 - length;
    for (size_t i = 0; i < length; ++i) start[i] = 'a';
    pages_[kPage - 1] = '\0';
    return start;
  }

 private:
  char* pages_;
};

TEST(OwnLibc, LengthAtTheEndOfAPage) {
  BeforeTheEnd end;
  for (size_t length = 0; length <= kMost; ++length) {
    EXPECT_EQ(strlen(end.text(length)), length);
  }
}

// A byte above a zero can look like one (0x01), and so can none with the upper bit.
TEST(OwnLibc, LengthFromEachAlignmentWithEachByte) {
  alignas(8) char buffer[kMost + 16];
  for (const char filler : {'a', '\x01', '\x7f', '\x80', '\xff'}) {
    for (size_t start = 0; start < 8; ++start) {
      for (size_t length = 0; length <= kMost; ++length) {
        for (char& byte : buffer) byte = filler;
        buffer[start + length] = '\0';
        if (start + length + 1 < sizeof buffer) buffer[start + length + 1] = '\x01';
        EXPECT_EQ(strlen(buffer + start), plain_length(buffer + start));
      }
    }
  }
}

TEST(OwnLibc, MovesOverItself) {
  const char text[] = "0123456789";
  for (size_t from = 0; from < 6; ++from) {
    for (size_t to = 0; to < 6; ++to) {
      char buffer[sizeof text], wanted[sizeof text];
      for (size_t i = 0; i < sizeof text; ++i) buffer[i] = wanted[i] = text[i];
      for (size_t i = 0; i < 5; ++i) wanted[to + i] = text[from + i];
      EXPECT_EQ(memmove(buffer + to, buffer + from, 5), buffer + to);
      EXPECT_STREQ(buffer, wanted);
    }
  }
}

TEST(OwnLibc, LastOfACharacter) {
  BeforeTheEnd end;
  for (size_t length = 0; length <= kMost; ++length) {
    char* const text = end.text(length);
    EXPECT_EQ(own_strrchr(text, '/'), nullptr);
    EXPECT_EQ(own_strrchr(text, '\0'), text + length);
    for (size_t place = 0; place < length; ++place) {
      text[place] = '/';
      EXPECT_EQ(own_strrchr(text, '/'), text + place);
    }
  }
}

TEST(OwnLibc, TextInText) {
  const char* const text = "/opt/stubs/stub/stubs";
  EXPECT_EQ(own_strstr(text, "/stubs/"), text + 4);
  EXPECT_EQ(own_strstr(text, "stubs"), text + 5);
  EXPECT_EQ(own_strstr(text, "/stubs/x"), nullptr);
  EXPECT_EQ(own_strstr(text, ""), text);
  EXPECT_EQ(own_strstr("", "a"), nullptr);
}

}  // namespace

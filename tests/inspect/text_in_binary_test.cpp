#include "src/inspect/text_in_binary.h"

#include <gtest/gtest.h>

namespace torchada {
namespace {

using std::literals::operator""sv;

TEST(TextInBinary, NothingIsFoundInNothing) {
  EXPECT_TRUE(library_strings({}).empty());
  EXPECT_FALSE(has_string({}, "libcuda.so.1"));
  EXPECT_EQ(find_text({}, "libcuda.so.1"), std::string_view::npos);
}

TEST(TextInBinary, StringsAreWholeTextsAreNot) {
  const std::string_view data = "\0/usr/lib/libcudart.so.12\0see libnccl.so for more\0"sv;
  EXPECT_EQ(library_strings(data), std::vector<std::string>{"/usr/lib/libcudart.so.12"});
  EXPECT_TRUE(has_string(data, "/usr/lib/libcudart.so.12"));
  EXPECT_FALSE(has_string(data, "libcudart.so.12"));
  EXPECT_EQ(find_text(data, "libcudart.so.12"), 10U);
}

}  // namespace
}  // namespace torchada

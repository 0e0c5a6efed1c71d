// What the report of verify leaves out.
#include "src/command/verify/anonymous.h"

#include <gtest/gtest.h>

namespace torchada::verify {
namespace {

std::string without(const std::string& text, const std::string& host = "gpu-node7") {
  return anonymous(text, host);
}

TEST(Anonymous, of_a_path_the_name_stays) {
  EXPECT_EQ("libmurand.so.1: invalid ELF header",
            without("/home/li/sdk/lib/libmurand.so.1: invalid ELF header"));
  EXPECT_EQ("no file '.x.so', nor (b)", without("no file '/data/a/.x.so', nor (/tmp/b)"));
  EXPECT_EQ("x.so", without("~/sdk/x.so"));
  EXPECT_EQ("x.so", without("../../li/x.so"));
  EXPECT_EQ("LD_LIBRARY_PATH=lib:b", without("LD_LIBRARY_PATH=/home/li/lib:/a/b"));
}

TEST(Anonymous, what_is_no_path_stays) {
  for (const char* text :
       {"exported", "value:mublas/mublasOperation_t/MUBLAS_OP_T", "1/2 of 3 / 4", "5.1.0, 10504",
        "returned 801 (musaErrorNotSupported)", "0x7ffe12345678", "mp_31"}) {
    EXPECT_EQ(text, without(text));
  }
}

TEST(Anonymous, the_host_is_not_named) {
  EXPECT_EQ("(host): no route", without("gpu-node7: no route"));
  EXPECT_EQ("connect to (host).lan, (host)", without("connect to gpu-node7.lan, gpu-node7"));
  EXPECT_EQ("a-gpu-node7 gpu-node70", without("a-gpu-node7 gpu-node70"));
  EXPECT_EQ("mu is a prefix", without("mu is a prefix", "mu"));
  EXPECT_EQ("localhost", without("localhost", "localhost"));
  EXPECT_EQ("nothing", without("nothing", ""));
}

TEST(Anonymous, no_serial_number) {
  EXPECT_EQ("GPU-(uuid) differs", without("GPU-0f3c5a11-9d2e-4b7a-8c1d-001122334455 differs"));
  EXPECT_EQ("(uuid)", without("00112233445566778899aabbccddeeff"));
}

}  // namespace
}  // namespace torchada::verify

// Sources with errors give logs. Each of a hundred sources has an error of its own.
#include <atomic>
#include <thread>

#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::contains;
using mtrtc_tests::Program;

struct Wrong {
  std::string source;
  std::string said;  // a part of the log; empty: any log will do
};

std::string repeated(const std::string& part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

std::vector<Wrong> wrong_sources() {
  std::vector<Wrong> all;
  // Missing files: 30.
  for (int i = 0; i < 30; ++i) {
    const std::string name = "missing_" + std::to_string(i) + ".h";
    all.push_back(
        {repeated("\n", i) + "  #include <" + name + ">\n",
         "given.cu:" + std::to_string(i + 1) + ":12: error: '" + name + "' file not found"});
  }
  // Statements that are none, each in a line of its own: 30.
  const char* const statements[] = {"int;;;=",      "return 1",   "x = 1;",      "int x = \"a\";",
                                    "if",           "for (;;",    "1 = 2;",      "int int x;",
                                    "{ ( }",        "goto here;", "break;",      "case 1:;",
                                    "#error wrong", "a.b.c();",   "new nothing;"};
  for (int i = 0; i < 30; ++i) {
    const std::string statement = statements[i % 15];
    all.push_back({"__global__ void k" + std::to_string(i) + "() {\n" + repeated("\n", i) +
                       statement + "\n}\n",
                   "given.cu:"});
  }
  // Programs that are cut off: 20.
  const std::string whole =
      "template <typename T> struct S { T value; };\n__global__ void k(S<int>* s) { s->value = 1; "
      "}\n";
  for (std::size_t i = 0; i < 20; ++i) all.push_back({whole.substr(0, 5 + 4 * i) + "\n(", ""});
  // Bytes that are no text: 5.
  for (unsigned int i = 0; i < 5; ++i) {
    std::string bytes;
    for (unsigned int byte = 1; byte < 256; ++byte)
      bytes += static_cast<char>((byte * (2 * i + 1)) % 255 + 1);
    all.push_back({bytes, "given.cu:"});
  }
  // Depth and length: 15.
  all.push_back(
      {"template <int N> struct S { enum { value = S<N + 1>::value }; };\n"
       "__global__ void k(int* p) { *p = S<0>::value; }\n",
       "depth"});
  all.push_back({"#define A B B\n#define B C C\n#define C D D\nA\n", ""});
  all.push_back({repeated("namespace n {", 500), ""});
  all.push_back({"__device__ int x = " + repeated("(", 1000) + "1;\n", ""});
  all.push_back({"__device__ int x = " + repeated("1+", 1000) + ";\n", ""});
  all.push_back({repeated("a", 1 << 18), ""});
  all.push_back({repeated("/", 1 << 16) + "\n" + repeated("*", 1 << 16), ""});
  all.push_back({"\"" + repeated("x", 1 << 16), ""});
  all.push_back({"/* " + repeated("x", 1 << 16), ""});
  all.push_back({"#if 1\n" + repeated("#if 1\n", 500), ""});
  all.push_back({"#include __FILE__\n", ""});
  all.push_back({"R\"(" + repeated("y\n", 1000), ""});
  all.push_back({repeated("{", 500), ""});
  all.push_back({"#include \"\"\n", ""});
  all.push_back(
      {"__global__ void k() { undefined_function(); }\n__device__ void "
       "undefined_function();\n",
       ""});
  return all;
}

class MtrtcErrors : public testing::TestWithParam<int> {};

// Tenths, so that they can be run at a time.
TEST_P(MtrtcErrors, mtrtcGetProgramLog_tells_what_is_wrong_with_each_source) {
  const std::vector<Wrong> all = wrong_sources();
  ASSERT_EQ(all.size(), 100U);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = 10 * next++ + static_cast<std::size_t>(GetParam())) < all.size();) {
      const Program program(all[i].source, "given.cu");
      program.add("k");
      EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION) << i;
      const std::string log = program.log();
      EXPECT_FALSE(log.empty()) << i;
      EXPECT_TRUE(contains(log, all[i].said)) << i << ": " << log.substr(0, 2000);
      EXPECT_FALSE(contains(log, "/torchada-mtrtc-")) << i << ": " << log.substr(0, 2000);
    }
  };
  std::thread other(work);
  work();
  other.join();
}

INSTANTIATE_TEST_SUITE_P(Tenths, MtrtcErrors, testing::Range(0, 10));

// File, line and column are the user's, in the source, in a header that was given, and for what the
// stand-in refuses.
TEST(MtrtcErrorPlaces, mtrtcGetProgramLog_has_the_users_lines_and_columns) {
  const Program unnamed("\n__global__ void k(int* p) {\n  *p = none;\n}\n");
  EXPECT_EQ(unnamed.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_TRUE(contains(unnamed.log(), "default_program:3:8: error: ")) << unnamed.log();
  EXPECT_TRUE(contains(unnamed.log(), "    3 |   *p = none;\n")) << unnamed.log();

  const Program in_header("#include \"parts/part.h\"\n", "/home/user/main.cu",
                          {{"parts/part.h", "\n\n__device__ int f() { return none; }\n"}});
  EXPECT_EQ(in_header.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_TRUE(contains(in_header.log(), "parts/part.h:3:29: error: ")) << in_header.log();
  EXPECT_TRUE(contains(in_header.log(), "/home/user/main.cu:1")) << in_header.log();

  const Program refused("__global__ void k() {\n  asm(\"mov\");\n}\n", "ptx.cu");
  EXPECT_EQ(refused.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_TRUE(contains(refused.log(), "ptx.cu:2:3: error: inline assembly (PTX)")) << refused.log();
}

TEST(MtrtcErrorPlaces, mtrtcGetProgramLog_tells_what_device_code_may_not_have) {
  const std::string kernel = "__global__ void k(int* p) { p[0] = 1; }\n";
  const std::vector<Wrong> sources = {
      {"extern \"C\" __device__ int system(const char*);\n"
       "__global__ void k(int* p) { p[0] = system(\"id\"); }\n",
       "it uses system, which is no device function"},
      {"__device__ int f() { return 1; }\n__device__ int x = f();\n" + kernel,
       "dynamic initialization"},
      {"struct S { __device__ S() { n = 1; } int n; };\n__device__ S s;\n" + kernel,
       "dynamic initialization"},
      {"__attribute__((constructor)) __device__ void f() { *(volatile int*)8 = 0; }\n" + kernel,
       "a function that runs when it is loaded or unloaded"},
      {"__attribute__((destructor)) __device__ void f() { *(volatile int*)8 = 0; }\n" + kernel,
       "a function that runs when it is loaded or unloaded"},
  };
  for (const Wrong& wrong : sources) {
    const Program program(wrong.source, "given.cu");
    EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION) << wrong.source;
    EXPECT_TRUE(contains(program.log(), wrong.said)) << wrong.source << program.log();
  }
  // What is for the host alone is left out.
  const Program program("static int x = *reinterpret_cast<int*>(8);\n" + kernel, "given.cu");
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  const Program reads("asm(\".incbin \\\"/etc/passwd\\\"\");\n" + kernel, "given.cu");
  EXPECT_EQ(reads.compile(), MTRTC_SUCCESS) << reads.log();
  EXPECT_FALSE(contains(reads.image(), "root:"));
}

TEST(MtrtcErrorPlaces, mtrtcGetProgramLog_tells_which_name_expression_is_wrong) {
  const Program program("template <typename T> __global__ void k(T* p) { *p = 1; }\nint host();\n");
  for (const char* const name : {"k<int>", "k<nothing>", "host", "", "k"}) program.add(name);
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  const std::string log = program.log();
  EXPECT_FALSE(contains(log, "'k<int>'")) << log;
  for (const char* const name : {"k<nothing>", "host", "", "k"}) {
    EXPECT_TRUE(contains(log, std::string("name expression '") + name + "': error: ")) << log;
  }
}

}  // namespace

// Tests the tool itself: what one call reports, and where a prototype's pointers go.
#include "tests/no_musa/call.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "generator/tables/read_tables.h"
#include "tests/no_musa/answer_table.h"
#include "tests/no_musa/arguments.h"

namespace no_musa {
namespace {

class CallTest : public testing::Test {
 protected:
  void SetUp() override {
    void* memory =
        mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(MAP_FAILED, memory);
    outcome_ = static_cast<Outcome*>(memory);
  }
  void TearDown() override { munmap(outcome_, sizeof(Outcome)); }

  template <typename Function>
  const Outcome& call(Function* function, std::vector<PointerPlace> pointers = {},
                      bool text = false) {
    Call call;
    call.function = reinterpret_cast<void*>(function);
    call.pointers = std::move(pointers);
    call.result_is_text = text;
    call_in_child(call, 1, outcome_);
    return *outcome_;
  }

  Outcome* outcome_ = nullptr;
};

const ResultKind kStatus = ResultKind::kInteger32;

TEST_F(CallTest, Returns) {
  EXPECT_EQ("35", words_of(call(+[] { return 35; }), &kStatus));
  const ResultKind real = ResultKind::kDouble;
  EXPECT_EQ("0.5", words_of(call(+[] { return 0.5; }), &real));
  const ResultKind text = ResultKind::kText;
  EXPECT_EQ("text two lines", words_of(call(
                                           +[] { return "two\nlines"; }, {}, true),
                                       &text));
}

TEST_F(CallTest, DoesNotReturn) {
  EXPECT_EQ("SIGSEGV", words_of(call(+[](volatile int* p) { *p = 1; }), &kStatus));
  EXPECT_EQ("SIGABRT", words_of(call(abort), &kStatus));
  EXPECT_EQ("exit 3", words_of(call(+[] { _exit(3); }), &kStatus));
  EXPECT_EQ("timeout", words_of(call(+[] {
                                  for (;;) pause();
                                }),
                                &kStatus));
}

TEST_F(CallTest, SeesWritesOfZerosAndOnlyWrites) {
  const std::vector<PointerPlace> places = {{"0", false, 0}, {"1", false, 1}, {"6", true, 0}};
  const auto function = +[](const volatile int* read, volatile int* untouched, long, long, long,
                            long, volatile char* written) {
    written[4095] = 0;
    return untouched ? *read : -1;
  };
  const Outcome& outcome = call(function, places);
  EXPECT_EQ("0", words_of(outcome, &kStatus));
  EXPECT_EQ(std::vector<std::string>{"6"}, written_pages(outcome, places));
}

TEST_F(CallTest, WritingBeyondThePageCrashes) {
  const auto function = +[](volatile char* page) { page[4096] = 1; };
  EXPECT_EQ("SIGSEGV", words_of(call(function, {{"0", false, 0}}), &kStatus));
}

std::string places_in(const char* library, const std::string& function) {
  static const torchada::Tables tables = torchada::read_facts(MAPPINGS);
  std::string out;
  for (const torchada::CudaLibrary& candidate : tables.cuda) {
    if (candidate.name != library) continue;
    const torchada::Prototype& prototype =
        candidate.symbols.at(function).prototypes.back().prototype;
    for (const PointerPlace& place : pointers_of(tables, "13.0", prototype)) {
      out += place.name + (place.on_stack ? ":stack" : ":register") + std::to_string(place.index) +
             " ";
    }
  }
  return out;
}

TEST(Arguments, FollowTheAbi) {
  // dim3 takes two integer registers.
  EXPECT_EQ("0:register0 3:register5 ", places_in("cudart", "cudaLaunchKernel"));
  // cudaExtent is passed on the stack.
  EXPECT_EQ("0:register0 ", places_in("cudart", "cudaMalloc3D"));
  // A description is larger than two registers: its address is the first argument.
  EXPECT_EQ("result:register0 ", places_in("cudart", "cudaCreateChannelDesc"));
  // Complex numbers in vector registers use no integer registers.
  EXPECT_EQ("2:register1 4:register3 ", places_in("cublas", "cublasCaxpy"));
  // Six integers before the first pointer.
  EXPECT_EQ("6:stack0 7:stack1 9:stack3 11:stack5 12:stack6 ",
            places_in("cublas", "cublasSgemm_v2"));
}

}  // namespace
}  // namespace no_musa

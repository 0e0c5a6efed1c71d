// What programs get when MUSA fails a call with a number that no public source explains. The rows
// were written by hand from the manuals of cuBLAS and cuFFT, cublasLt.h and curand.h: arguments
// that break one documented condition, and the status that is documented for it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr std::uint64_t kHandle = 0x1000, kAlpha = 0x2000, kA = 0x3000, kB = 0x4000, kBeta = 0x5000,
                        kC = 0x6000, kX = 0x7000, kY = 0x8000;
constexpr std::uint64_t kMinus = 0xffffffff;
constexpr int kUnexplained = 11;

struct Row {
  std::string cuda, musa;
  std::string what;  // That is wrong; empty if nothing is.
  Words words;
  int status;
};

// A call that is right, and calls in which one argument is another: {position, word}.
struct Change {
  std::string what;
  std::size_t position;
  std::uint64_t word;
  int status;
};

std::vector<Row> rows_of(const std::string& cuda, const std::string& musa, const Words& right,
                         int otherwise, const std::vector<Change>& changes) {
  std::vector<Row> out = {{cuda, musa, "", right, otherwise}};
  for (const Change& change : changes) {
    Words words = right;
    words.at(change.position) = change.word;
    out.push_back({cuda, musa, change.what, words, change.status});
  }
  return out;
}

void add(std::vector<Row>* all, const std::vector<Row>& more) {
  all->insert(all->end(), more.begin(), more.end());
}

// 1 is CUBLAS_STATUS_NOT_INITIALIZED, 7 INVALID_VALUE, 14 INTERNAL_ERROR.
std::vector<Row> cublas_rows(int major) {
  std::vector<Row> out;
  // m, n, k = 3, 4, 5.
  for (const char* form : {"", "_64"}) {
    if (major == 11 && *form) continue;
    add(&out, rows_of(std::string("cublasSgemm_v2") + form, "mublasSgemm",
                      {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, 3, kB, 5, kBeta, kC, 3}, 14,
                      {{"handle", 0, 0, 1},
                       {"lda of A as it is", 8, 2, 7},
                       {"ldb of B as it is", 10, 4, 7},
                       {"ldc", 13, 2, 7},
                       {"A transposed has k rows", 1, 1, 7},
                       {"alpha", 6, 0, 7},
                       {"beta", 11, 0, 7}}));
  }
  add(&out, rows_of("cublasDgemm_v2", "mublasDgemm",
                    {kHandle, 1, 2, 3, 4, 5, kAlpha, kA, 5, kB, 4, kBeta, kC, 3}, 14,
                    {{"m", 3, kMinus, 7},
                     {"n", 4, kMinus, 7},
                     {"k", 5, kMinus, 7},
                     {"lda of A transposed", 8, 4, 7},
                     {"ldb of B transposed", 10, 3, 7}}));
  add(&out, rows_of("cublasSgemmStridedBatched", "mublasSgemmStridedBatched",
                    {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, 3, 15, kB, 5, 20, kBeta, kC, 3, 12, 2}, 14,
                    {{"batchCount", 17, kMinus, 7}, {"ldb", 11, 4, 7}}));
  // The vectors: gemv of 3 by 4.
  add(&out,
      rows_of("cublasSgemv_v2", "mublasSgemv",
              {kHandle, 1, 3, 4, kAlpha, kA, 3, kX, 1, kBeta, kY, kMinus}, 14,
              {{"lda", 6, 2, 7}, {"incx", 8, 0, 7}, {"incy", 11, 0, 7}, {"n", 3, kMinus, 7}}));
  // kl, ku = 1, 2: 4 diagonals.
  add(&out, rows_of("cublasDgbmv_v2", "mublasDgbmv",
                    {kHandle, 0, 9, 9, 1, 2, kAlpha, kA, 4, kX, 1, kBeta, kY, 1}, 14,
                    {{"lda", 8, 3, 7}, {"kl", 4, kMinus, 7}, {"ku", 5, kMinus, 7}}));
  add(&out, rows_of("cublasStrsv_v2", "mublasStrsv", {kHandle, 1, 0, 0, 4, kA, 4, kX, 1}, 14,
                    {{"no triangle", 1, 2, 7}, {"lda", 6, 3, 7}, {"incx", 8, 0, 7}}));
  add(&out, rows_of("cublasStbsv_v2", "mublasStbsv", {kHandle, 1, 0, 0, 4, 2, kA, 3, kX, 1}, 14,
                    {{"lda", 7, 2, 7}, {"k", 5, kMinus, 7}}));
  add(&out, rows_of("cublasSger_v2", "mublasSger", {kHandle, 3, 4, kAlpha, kX, 1, kY, 1, kA, 3}, 14,
                    {{"lda", 9, 2, 7}}));
  // m, n = 3, 4: A has 3 rows at the left and 4 at the right.
  add(&out,
      rows_of("cublasStrsm_v2", "mublasStrsm", {kHandle, 0, 1, 0, 0, 3, 4, kAlpha, kA, 3, kB, 3},
              14, {{"A at the right", 1, 1, 7}, {"lda", 9, 2, 7}, {"ldb", 11, 2, 7}}));
  add(&out, rows_of("cublasCherk_v2", "mublasCherk",
                    {kHandle, 0, 0, 3, 5, kAlpha, kA, 3, kBeta, kC, 3}, 14,
                    {{"transposed without conjugation", 2, 1, 7},
                     {"conjugated, with k rows", 2, 2, 7},
                     {"ldc", 10, 2, 7}}));
  // In place: C is A.
  add(&out, rows_of("cublasSgeam", "mublasSgeam",
                    {kHandle, 0, 0, 3, 3, kAlpha, kA, 3, kBeta, kB, 3, kA, 3}, 14,
                    {{"transposed in place", 1, 1, 7}, {"another ldc in place", 12, 4, 7}}));
  add(&out, rows_of("cublasSasum_v2", "mublasSasum", {kHandle, 4, kX, 1, kY}, 14,
                    {{"result", 4, 0, 7}, {"handle", 0, 0, 1}}));
  // No number is documented to be wrong here.
  add(&out, rows_of("cublasSscal_v2", "mublasSscal", {kHandle, 4, kAlpha, kX, 1}, 14,
                    {{"handle", 0, 0, 1}, {"n", 1, kMinus, 14}, {"incx", 4, 0, 14}}));
  add(&out, rows_of("cublasSetVectorAsync", "mublasSetVectorAsync", {3, 4, kX, 1, kY, 1, 0}, 14,
                    {{"elemSize", 1, 0, 7}, {"incx", 3, 0, 7}, {"incy", 5, kMinus, 7}}));
  add(&out, rows_of("cublasGetMatrixAsync", "mublasGetMatrixAsync", {3, 4, 4, kA, 3, kB, 3, 0}, 14,
                    {{"rows", 0, kMinus, 7},
                     {"cols", 1, kMinus, 7},
                     {"elemSize", 2, 0, 7},
                     {"lda", 4, 0, 7},
                     {"ldb", 6, kMinus, 7},
                     {"lda less than rows", 4, 2, 7},
                     {"ldb less than rows", 6, 2, 7}}));
  add(&out,
      rows_of("cublasSetStream_v2", "mublasSetStream", {kHandle, kX}, 14, {{"handle", 0, 0, 1}}));
  static std::uint64_t made = 0;
  add(&out, rows_of("cublasCreate_v2", "mublasCreate", {reinterpret_cast<std::uint64_t>(&made)}, 14,
                    {{"handle", 0, 0, 7}}));
  return out;
}

// 7 is CUBLAS_STATUS_INVALID_VALUE.
std::vector<Row> light_rows(const void* algorithm) {
  std::vector<Row> out;
  const Words right = {kHandle, kX,     kAlpha, kA,     0x3100, kB,     0x4100, kBeta,
                       kC,      0x6100, kC,     0x6100, 0,      0xa000, 64,     0};
  add(&out, rows_of("cublasLtMatmul", "mublasLtMatmul", right, 14,
                    {{"alpha", 2, 0, 7},
                     {"A", 3, 0, 7},
                     {"B", 5, 0, 7},
                     {"D", 10, 0, 7},
                     {"workspace", 13, 0, 7}}));
  Words without = right;
  without[13] = without[14] = 0;
  out.push_back({"cublasLtMatmul", "mublasLtMatmul", "no workspace", without, 14});
  add(&out, rows_of("cublasLtMatmulAlgoInit", "mublasLtMatmulAlgoInit",
                    {kHandle, 68, 0, 0, 0, 0, 0, 1, reinterpret_cast<std::uint64_t>(algorithm)}, 14,
                    {{"algoId", 7, kMinus, 7}}));
  return out;
}

// 4 is CUFFT_INVALID_VALUE, 5 INTERNAL_ERROR, 8 INVALID_SIZE.
std::vector<Row> cufft_rows(const void* number) {
  const auto out_at = reinterpret_cast<std::uint64_t>(number);
  constexpr std::uint64_t kC2c = 0x29, kPlan = 1;
  constexpr std::uint64_t kForward = kMinus;
  std::vector<Row> out;
  add(&out, rows_of("cufftPlan1d", "mufftPlan1d", {out_at, 8, kC2c, 1}, 5,
                    {{"nx", 1, 0, 8}, {"batch", 3, 0, 8}}));
  add(&out, rows_of("cufftPlan2d", "mufftPlan2d", {out_at, 8, 8, kC2c}, 5,
                    {{"nx", 1, 0, 8}, {"ny", 2, kMinus, 8}}));
  add(&out, rows_of("cufftPlan3d", "mufftPlan3d", {out_at, 8, 8, 8, kC2c}, 5, {{"nz", 3, 0, 8}}));
  add(&out, rows_of("cufftPlanMany", "mufftPlanMany", {out_at, 2, kX, 0, 1, 8, 0, 1, 8, kC2c, 3}, 5,
                    {{"rank", 1, 0, 4}, {"rank", 1, 4, 4}, {"n", 2, 0, 4}, {"batch", 10, 0, 8}}));
  for (const char* kind : {"MakePlan", "GetSize"}) {
    const std::string cuda = std::string("cufft") + kind, musa = std::string("mufft") + kind;
    add(&out, rows_of(cuda + "1d", musa + "1d", {kPlan, 8, kC2c, 1, out_at}, 5,
                      {{"nx", 1, 0, 8}, {"batch", 3, 0, 8}}));
    add(&out, rows_of(cuda + "2d", musa + "2d", {kPlan, 8, 8, kC2c, out_at}, 5,
                      {{"nx", 1, 0, 8}, {"ny", 2, 0, 8}}));
    add(&out, rows_of(cuda + "3d", musa + "3d", {kPlan, 8, 8, 8, kC2c, out_at}, 5,
                      {{"nx", 1, 0, 8}, {"ny", 2, 0, 8}, {"nz", 3, 0, 8}}));
    const Words many = {kPlan, 2, kX, 0, 1, 8, 0, 1, 8, kC2c, 3, out_at};
    add(&out, rows_of(cuda + "Many", musa + "Many", many, 5,
                      {{"rank", 1, 4, 4}, {"n", 2, 0, 4}, {"batch", 10, 0, 8}}));
    add(&out, rows_of(cuda + "Many64", "mufftXt" + std::string(kind) + "Many", many, 5,
                      {{"rank", 1, 4, 4}, {"batch", 10, 0, 8}}));
    // Complex numbers of 32 bits are type 4. A missing n is refused before muFFT is asked.
    add(&out,
        rows_of("cufftXt" + std::string(kind) + "Many", "mufftXt" + std::string(kind) + "Many",
                {kPlan, 2, kX, 0, 1, 8, 4, 0, 1, 8, 4, 3, out_at, 4}, 5,
                {{"rank", 1, 4, 4}, {"batch", 11, 0, 8}}));
  }
  for (const std::string name :
       {"ExecC2C", "ExecZ2Z", "ExecR2C", "ExecC2R", "ExecD2Z", "ExecZ2D"}) {
    const bool has_direction = name == "ExecC2C" || name == "ExecZ2Z";
    add(&out, rows_of("cufft" + name, "mufft" + name, {kPlan, kX, kY, kForward}, 5,
                      {{"idata", 1, 0, 4}, {"odata", 2, 0, 4}}));
    if (has_direction) {
      out.push_back({"cufft" + name, "mufft" + name, "direction", {kPlan, kX, kY, 0}, 4});
    }
  }
  out.push_back({"cufftExecZ2Z", "mufftExecZ2Z", "direction", {kPlan, kX, kY, 2}, 4});
  add(&out, rows_of("cufftXtExec", "mufftXtExec", {kPlan, kX, kY, kForward}, 5,
                    {{"input", 1, 0, 4}, {"output", 2, 0, 4}}));
  return out;
}

// What `status` of muRAND's becomes. 105 is CURAND_STATUS_LENGTH_NOT_MULTIPLE.
std::vector<Row> curand_rows(int status) {
  std::vector<Row> out;
  constexpr std::uint64_t kOfHost = kHandle + 1;
  for (const std::uint64_t generator : {kHandle, kOfHost}) {
    for (const char* numbers : {"", "Double"}) {
      add(&out, rows_of(std::string("curandGenerateNormal") + numbers,
                        std::string("murandGenerateNormal") + numbers, {generator, kX, 4}, status,
                        {{"n", 2, 5, 105}}));
    }
    // Uniform numbers do not come in pairs.
    out.push_back({"curandGenerateUniform",
                   "murandGenerateUniform",
                   "nothing, but n is odd",
                   {generator, kX, 5},
                   status});
  }
  return out;
}

// Calls each row. MUSA's function is reached every time: nothing is refused before.
std::string report(const Library& library, const std::vector<Row>& rows,
                   std::uint32_t musa_status) {
  std::string complaints;
  for (const Row& row : rows) {
    const std::string what = row.cuda + (row.what.empty() ? "" : ", wrong " + row.what);
    recording_answer(row.musa.c_str(), static_cast<int>(musa_status));
    const int failed = library.call(row.cuda, row.words);
    const CallLog log = backend_log();
    if (std::none_of(log.begin(), log.end(),
                     [&](const LoggedCall& call) { return call.musa == row.musa; })) {
      complaints += what + ": did not reach " + row.musa + "\n";
    }
    if (failed != row.status) {
      complaints +=
          what + ": " + std::to_string(failed) + " instead of " + std::to_string(row.status) + "\n";
    }
    // Nothing is asked of a call that succeeds.
    recording_answer(row.musa.c_str(), 0);
    const int succeeded = library.call(row.cuda, row.words);
    if (succeeded != 0) complaints += what + ": success became " + std::to_string(succeeded) + "\n";
  }
  return complaints;
}

class Documented : public testing::TestWithParam<int> {};

TEST_P(Documented, StatusesOfCublas) {
  EXPECT_EQ(in_child([] {
              const Library library("libcublas.so." + std::to_string(GetParam()), MUSA_ROOT);
              recording_answer_all(0);
              return report(library, cublas_rows(GetParam()), kUnexplained);
            }),
            "");
}

TEST_P(Documented, StatusesOfCublasLt) {
  EXPECT_EQ(in_child([] {
              const Library library("libcublasLt.so." + std::to_string(GetParam()), MUSA_ROOT);
              recording_answer_all(0);
              recording_write("mublasLtCreate", 0, &kHandle, sizeof kHandle);
              std::uint64_t made = 0;
              library.call("cublasLtCreate", {reinterpret_cast<std::uint64_t>(&made)});
              std::uint64_t algorithm[8] = {};
              return report(library, light_rows(algorithm), kUnexplained);
            }),
            "");
}

// muFFT's numbers are taken to be CUDA's: the documented condition comes before one of them, too.
TEST_P(Documented, StatusesOfCufft) {
  EXPECT_EQ(in_child([] {
              const Library library("libcufft.so." + std::to_string(GetParam() - 1), MUSA_ROOT);
              recording_answer_all(0);
              int number = 0;
              recording_write("mufftCreate", 0, &kX, sizeof kX);
              library.call("cufftCreate", {reinterpret_cast<std::uint64_t>(&number)});
              recording_write("mufftPlan1d", 0, &kX, sizeof kX);
              recording_write("mufftPlan2d", 0, &kX, sizeof kX);
              recording_write("mufftPlan3d", 0, &kX, sizeof kX);
              recording_write("mufftPlanMany", 0, &kX, sizeof kX);
              std::uint64_t written[2] = {};
              const std::vector<Row> rows = cufft_rows(written);
              return report(library, rows, 77) + report(library, rows, 5);
            }),
            "");
}

TEST(DocumentedOfCurand, Statuses) {
  EXPECT_EQ(in_child([] {
              const Library library("libcurand.so.10", MUSA_ROOT);
              recording_answer_all(0);
              return report(library, curand_rows(201), 201) + report(library, curand_rows(77), 77);
            }),
            "");
}

INSTANTIATE_TEST_SUITE_P(Majors, Documented, testing::Values(11, 12, 13));

}  // namespace
}  // namespace recording

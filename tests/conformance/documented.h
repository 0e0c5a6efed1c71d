// Functions with the errors that CUDA's documentation lists for them, as tables: one row for each
// error, with a call that must be answered by it. documented_errors_test.py compares the rows with
// the comments of the toolkit's headers.
#ifndef TORCHADA_TESTS_CONFORMANCE_DOCUMENTED_H_
#define TORCHADA_TESTS_CONFORMANCE_DOCUMENTED_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

// `World` has what the calls need. It is made anew for each function.
template <typename World, typename Status>
struct DocumentedError {
  const char* function;
  Status error;
  const char* because;
  Status (*call)(World&);
};

// Registers a test SUITE.FUNCTION_has_its_documented_errors for each function of the rows. `check`
// judges one row.
template <typename World, typename Status>
int register_functions(const char* suite, const std::vector<DocumentedError<World, Status>>& rows,
                       void (*check)(World&, const DocumentedError<World, Status>&)) {
  using Rows = std::vector<DocumentedError<World, Status>>;
  class OneFunction : public testing::Test {
   public:
    OneFunction(Rows rows, decltype(check) judge) : rows_(std::move(rows)), check_(judge) {}
    void TestBody() override {
      for (const auto& row : rows_) {
        SCOPED_TRACE(std::string(row.function) + ": " + row.because);
        World world;
        check_(world, row);
      }
    }

   private:
    Rows rows_;
    decltype(check) check_;
  };
  for (size_t first = 0, next = 0; first < rows.size(); first = next) {
    const std::string function = rows[first].function;
    while (next < rows.size() && rows[next].function == function) ++next;
    const auto at = [&](size_t index) { return rows.begin() + static_cast<std::ptrdiff_t>(index); };
    const Rows own(at(first), at(next));
    testing::RegisterTest(suite, (function + "_has_its_documented_errors").c_str(), nullptr,
                          nullptr, __FILE__, __LINE__, [own, check]() -> testing::Test* {
                            return std::make_unique<OneFunction>(own, check).release();
                          });
  }
  return 0;
}

#endif  // TORCHADA_TESTS_CONFORMANCE_DOCUMENTED_H_

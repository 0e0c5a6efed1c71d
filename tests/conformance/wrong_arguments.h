// Calls a function with one wrong argument at a time: null, or a handle of nothing; and tables of
// what is right for each function of an API.
#ifndef TORCHADA_TESTS_CONFORMANCE_WRONG_ARGUMENTS_H_
#define TORCHADA_TESTS_CONFORMANCE_WRONG_ARGUMENTS_H_

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The wrong values of a type: null for pointers. Handles have a specialisation.
template <typename T>
struct WrongValues {
  static std::vector<T> all() {
    if constexpr (std::is_pointer_v<T>) {
      return {nullptr};
    } else {
      return {};
    }
  }
};

#define WRONG_VALUES(type, ...)                              \
  template <>                                                \
  struct WrongValues<type> {                                 \
    static std::vector<type> all() { return {__VA_ARGS__}; } \
  };
#define NOT_HANDLES(type) WRONG_VALUES(type, nullptr, reinterpret_cast<type>(not_an_object))

// The statuses of an API. MUSA may lack a function, which then says so whatever the arguments.
template <typename Status>
struct Statuses {
  Status success, invalid, unsupported;
};

// What a function answered to its arguments.
template <typename Status>
class Answers {
 public:
  Answers(const char* name, const std::set<size_t>& optional) : name_(name), optional_(optional) {}

  // `call` with each wrong value in the place of the next argument.
  template <typename T, typename Call>
  void try_wrong(T& argument, const Call& call) {
    const size_t place = place_++;
    const T right = argument;
    for (const T& value : WrongValues<T>::all()) {
      if (value == T{} && optional_.count(place) != 0) continue;
      argument = value;
      answers_.push_back({place, call()});
    }
    argument = right;
  }

  void judge(const Statuses<Status>& statuses, Status good) const {
    const bool served = good != statuses.unsupported;
    if (served) {
      EXPECT_EQ(statuses.success, good) << name_ << " with right arguments";
    }
    for (const Answer& answer : answers_) {
      if (!served && answer.status == statuses.unsupported) continue;
      EXPECT_EQ(statuses.invalid, answer.status) << name_ << ", argument " << answer.place + 1;
    }
  }

 private:
  struct Answer {
    size_t place;
    Status status;
  };
  const char* const name_;
  const std::set<size_t>& optional_;
  size_t place_ = 0;
  std::vector<Answer> answers_;
};

// First with each argument wrong, then with all of them right: so that a wrong call is answered by
// nothing but `invalid`, and changes nothing. `optional`: the positions, from 0, of those that may
// be null.
template <typename Status, typename... P>
void check_arguments(const Statuses<Status>& statuses, const char* name, Status (*function)(P...),
                     const std::set<size_t>& optional, std::type_identity_t<P>... arguments) {
  Answers<Status> answers(name, optional);
  const auto call = [&] { return function(arguments...); };
  (answers.try_wrong(arguments, call), ...);
  answers.judge(statuses, call());
}

// The functions of an API: with right arguments (ARGUMENTS), or, where none are right, with null
// (REFUSAL). A source that uses these macros has the types World, whose members right calls get and
// which is made anew for each function, and Table, its ArgumentTable; and kStatuses.
template <typename World, typename Status>
class ArgumentTable {
 public:
  static ArgumentTable& only() {
    static auto* const table = new ArgumentTable;
    return *table;
  }
  bool check(const char* name, std::function<void(World&)> check) {
    return checks_.emplace(name, std::move(check)).second;
  }
  bool refuse(const char* name, std::function<Status(World&)> call) {
    return refusals_.emplace(name, std::move(call)).second;
  }

  void expect_wrong_ones_are_invalid() const {
    for (const auto& [name, check] : checks_) {
      SCOPED_TRACE(name);
      World world;
      check(world);
    }
  }
  void expect_null_is_refused(Status success) const {
    for (const auto& [name, call] : refusals_) {
      World world;
      EXPECT_NE(success, call(world)) << name;
    }
  }
  // Of the exports in the file (lines of a letter, a space and the name with its version), those
  // that begin with `prefix`, but not with `other`, are in the table. There are more than `least`.
  void expect_each_is_tried(const char* exports, const std::string& prefix,
                            const std::string& other, int least) const {
    std::ifstream file(exports);
    int functions = 0;
    for (std::string line; std::getline(file, line);) {
      const std::string name = line.substr(2, line.find('@') - 2);
      if (!name.starts_with(prefix) || name.starts_with(other)) continue;
      ++functions;
      EXPECT_TRUE(checks_.count(name) != 0 || refusals_.count(name) != 0) << name;
    }
    EXPECT_GT(functions, least);
  }

 private:
  std::map<std::string, std::function<void(World&)>> checks_;
  std::map<std::string, std::function<Status(World&)>> refusals_;
};

#define OPTIONAL(...) \
  std::set<size_t> { __VA_ARGS__ }
#define ARGUMENTS(function, optional, ...)                                                       \
  [[maybe_unused]] const bool checked_##function = Table::only().check(#function, [](World& w) { \
    check_arguments(kStatuses, #function, function, optional, __VA_ARGS__);                      \
  });
#define REFUSAL(function, ...)                                           \
  [[maybe_unused]] const bool refused_##function = Table::only().refuse( \
      #function, []([[maybe_unused]] World& w) { return function(__VA_ARGS__); });

#endif  // TORCHADA_TESTS_CONFORMANCE_WRONG_ARGUMENTS_H_

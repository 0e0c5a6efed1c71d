// Calls a function with one wrong argument at a time: null, or a handle of nothing.
#ifndef TORCHADA_TESTS_CONFORMANCE_WRONG_ARGUMENTS_H_
#define TORCHADA_TESTS_CONFORMANCE_WRONG_ARGUMENTS_H_

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
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

// The statuses of an API. MUSA may lack a function, which then says so whatever the arguments.
template <typename Status>
struct Statuses {
  Status success, invalid, unsupported;
};

// First with each argument wrong, then with all of them right: so that a wrong call is answered by
// nothing but `invalid`, and changes nothing. `optional`: the positions, from 0, of those that may
// be null. Returns whether MUSA has the function.
template <typename Status, typename... P>
bool check_arguments(const Statuses<Status>& statuses, const std::string& name,
                     Status (*function)(P...), const std::set<size_t>& optional,
                     std::type_identity_t<P>... arguments) {
  const std::tuple<P...> right(arguments...);
  std::vector<std::pair<size_t, Status>> answers;
  const auto try_each = [&]<size_t I>(std::integral_constant<size_t, I>) {
    using T = std::tuple_element_t<I, std::tuple<P...>>;
    for (const T& value : WrongValues<T>::all()) {
      if (value == T{} && optional.count(I) != 0) continue;
      auto wrong = right;
      std::get<I>(wrong) = value;
      answers.emplace_back(I, std::apply(function, wrong));
    }
  };
  [&]<size_t... I>(std::index_sequence<I...>) {
    (try_each(std::integral_constant<size_t, I>()), ...);
  }
  (std::index_sequence_for<P...>());
  const Status good = std::apply(function, right);
  const bool served = good != statuses.unsupported;
  if (served) {
    EXPECT_EQ(statuses.success, good) << name << " with right arguments";
  }
  for (const auto& [place, answer] : answers) {
    if (!served && answer == statuses.unsupported) continue;
    EXPECT_EQ(statuses.invalid, answer) << name << ", argument " << place + 1;
  }
  return served;
}

#endif  // TORCHADA_TESTS_CONFORMANCE_WRONG_ARGUMENTS_H_

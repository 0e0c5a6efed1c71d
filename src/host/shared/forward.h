// Functions that only hand their arguments on, defined without repeating the parameters of their
// declarations: the count of the parameters is enough.
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace host {

template <typename Function>
struct Signature;
template <typename Result, typename... Parameters>
struct Signature<Result(Parameters...)> {
  using Types = std::tuple<Parameters...>;
};
template <typename Function, std::size_t kIndex>
using Parameter = std::tuple_element_t<kIndex, typename Signature<Function>::Types>;

// An argument as the called function wants it: the same bits under another type.
template <typename From>
struct SameBits {
  template <typename To>
  operator To() const {
    // NOLINTBEGIN(bugprone-sizeof-expression): often a pointer
    static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To>);
    To to;
    std::memcpy(&to, &from, sizeof(to));
    // NOLINTEND(bugprone-sizeof-expression)
    return to;
  }
  From from;
};

template <typename From>
SameBits<From> same_bits(From from) {
  return {from};
}

}  // namespace host

// HOST_PARAMETERS_n(function): the parameters a0, a1 ... of a declared function.
#define HOST_PARAMETER(f, n) [[maybe_unused]] host::Parameter<decltype(f), n> a##n
#define HOST_PARAMETERS_0(f)
#define HOST_PARAMETERS_1(f) HOST_PARAMETER(f, 0)
#define HOST_PARAMETERS_2(f) HOST_PARAMETERS_1(f), HOST_PARAMETER(f, 1)
#define HOST_PARAMETERS_3(f) HOST_PARAMETERS_2(f), HOST_PARAMETER(f, 2)
#define HOST_PARAMETERS_4(f) HOST_PARAMETERS_3(f), HOST_PARAMETER(f, 3)
#define HOST_PARAMETERS_5(f) HOST_PARAMETERS_4(f), HOST_PARAMETER(f, 4)
#define HOST_PARAMETERS_6(f) HOST_PARAMETERS_5(f), HOST_PARAMETER(f, 5)
#define HOST_PARAMETERS_7(f) HOST_PARAMETERS_6(f), HOST_PARAMETER(f, 6)
#define HOST_PARAMETERS_8(f) HOST_PARAMETERS_7(f), HOST_PARAMETER(f, 7)
#define HOST_PARAMETERS_9(f) HOST_PARAMETERS_8(f), HOST_PARAMETER(f, 8)
#define HOST_PARAMETERS_10(f) HOST_PARAMETERS_9(f), HOST_PARAMETER(f, 9)
#define HOST_PARAMETERS_11(f) HOST_PARAMETERS_10(f), HOST_PARAMETER(f, 10)
#define HOST_PARAMETERS_12(f) HOST_PARAMETERS_11(f), HOST_PARAMETER(f, 11)
#define HOST_PARAMETERS_13(f) HOST_PARAMETERS_12(f), HOST_PARAMETER(f, 12)
#define HOST_PARAMETERS_14(f) HOST_PARAMETERS_13(f), HOST_PARAMETER(f, 13)

// HOST_ARGUMENTS_n(convert): convert(a0), convert(a1) ...
#define HOST_ARGUMENTS_0(convert)
#define HOST_ARGUMENTS_1(convert) convert(a0)
#define HOST_ARGUMENTS_2(convert) HOST_ARGUMENTS_1(convert), convert(a1)
#define HOST_ARGUMENTS_3(convert) HOST_ARGUMENTS_2(convert), convert(a2)
#define HOST_ARGUMENTS_4(convert) HOST_ARGUMENTS_3(convert), convert(a3)
#define HOST_ARGUMENTS_5(convert) HOST_ARGUMENTS_4(convert), convert(a4)
#define HOST_ARGUMENTS_6(convert) HOST_ARGUMENTS_5(convert), convert(a5)
#define HOST_ARGUMENTS_7(convert) HOST_ARGUMENTS_6(convert), convert(a6)
#define HOST_ARGUMENTS_8(convert) HOST_ARGUMENTS_7(convert), convert(a7)
#define HOST_ARGUMENTS_9(convert) HOST_ARGUMENTS_8(convert), convert(a8)
#define HOST_ARGUMENTS_10(convert) HOST_ARGUMENTS_9(convert), convert(a9)
#define HOST_ARGUMENTS_11(convert) HOST_ARGUMENTS_10(convert), convert(a10)
#define HOST_ARGUMENTS_12(convert) HOST_ARGUMENTS_11(convert), convert(a11)
#define HOST_ARGUMENTS_13(convert) HOST_ARGUMENTS_12(convert), convert(a12)
#define HOST_ARGUMENTS_14(convert) HOST_ARGUMENTS_13(convert), convert(a13)

// HOST_ANSWER(Result, n, function, answer): defines a declared function of n parameters by an
// expression of them.
#define HOST_ANSWER(Result, count, function, answer) \
  Result function(HOST_PARAMETERS_##count(function)) { return answer; }

// HOST_FORWARD(Result, n, function, call, convert): defines a declared function of n parameters.
// Its result is that of `call`, which gets convert(argument) for each argument.
#define HOST_FORWARD(Result, count, function, call, convert) \
  HOST_ANSWER(Result, count, function, call(HOST_ARGUMENTS_##count(convert)))

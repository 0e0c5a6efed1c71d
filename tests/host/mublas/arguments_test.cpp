// How every function answers wrong arguments. The arguments are made from the function's type. A
// letter for each integer says whether it is a size, a leading dimension or an increment.
#include <array>
#include <string>
#include <tuple>
#include <utility>

#include "tests/host/mublas/with_handle.h"

namespace {

// A one of each number type, for scalars.
template <typename T>
struct One {
  static inline T value[8] = {T{1}, T{1}};
};
template <typename T>
struct One<T*> {
  static inline T* value[8] = {};
};

template <typename Enum>
constexpr Enum valid() {
  if constexpr (std::is_same_v<Enum, mublasOperation_t>) return MUBLAS_OP_N;
  if constexpr (std::is_same_v<Enum, mublasFillMode_t>) return MUBLAS_FILL_MODE_UPPER;
  if constexpr (std::is_same_v<Enum, mublasDiagType_t>) return MUBLAS_DIAG_UNIT;
  if constexpr (std::is_same_v<Enum, mublasSideMode_t>) return MUBLAS_SIDE_LEFT;
}

// Valid arguments: each integer is more than twice the one before, so that the leading dimensions,
// which come after the sizes, are large enough.
template <typename T>
T argument(int& integers) {
  if constexpr (std::is_enum_v<T>) {
    return valid<T>();
  } else if constexpr (std::is_pointer_v<T>) {
    return One<std::remove_const_t<std::remove_pointer_t<T>>>::value;
  } else if constexpr (std::is_same_v<T, mublas_int>) {
    return 1 << integers++;
  } else {
    return T{1};  // a stride
  }
}

// One call. Every check changes one argument of it.
class Call {
 public:
  virtual ~Call() = default;
  virtual mublasStatus_t with_handle(mublasHandle_t handle) = 0;
  virtual int arguments() const = 0;
  virtual bool is_enum(int which) const = 0;
  virtual bool is_pointer(int which) const = 0;
  virtual bool is_integer(int which) const = 0;
  virtual void set_integer(int which, int value) = 0;  // or an enum
  virtual void set_null(int which) = 0;
};

template <typename... Types>
class CallOf : public Call {
 public:
  using Function = mublasStatus_t (*)(mublasHandle_t, Types...);
  explicit CallOf(Function function) : function_(function) {}

  mublasStatus_t with_handle(mublasHandle_t handle) override {
    return std::apply([&](auto... all) { return function_(handle, all...); }, values_);
  }
  int arguments() const override { return sizeof...(Types); }
  bool is_enum(int which) const override { return std::array{std::is_enum_v<Types>...}[which]; }
  bool is_pointer(int which) const override {
    return std::array{std::is_pointer_v<Types>...}[which];
  }
  bool is_integer(int which) const override {
    return std::array{std::is_same_v<Types, mublas_int>...}[which];
  }
  void set_integer(int which, int value) override {
    change(which, [&](auto& argument) {
      using Type = std::remove_reference_t<decltype(argument)>;
      if constexpr (!std::is_pointer_v<Type>) argument = static_cast<Type>(value);
    });
  }
  void set_null(int which) override {
    change(which, [](auto& argument) {
      using Type = std::remove_reference_t<decltype(argument)>;
      if constexpr (std::is_pointer_v<Type>) argument = nullptr;
    });
  }

 private:
  template <typename Change>
  void change(int which, Change action) {
    int at = 0;
    std::apply([&](auto&... all) { ((at++ == which ? action(all) : void()), ...); }, values_);
  }
  int integers_ = 0;
  Function function_;
  std::tuple<Types...> values_{argument<Types>(integers_)...};
};

template <typename... Types>
std::unique_ptr<Call> call_of(mublasStatus_t (*function)(mublasHandle_t, Types...)) {
  return std::make_unique<CallOf<Types...>>(function);
}

// s: a size; l: a leading dimension; i: an increment; o: any value is valid.
struct Function {
  const char* name;
  const char* integers;
  std::unique_ptr<Call> (*call)();
};

void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }

template <auto function>
std::unique_ptr<Call> make() {
  return call_of(function);
}

#define ONE(name, integers) \
  Function { #name, integers, make < name> }
#define REAL(name, integers) ONE(mublasS##name, integers), ONE(mublasD##name, integers)
#define COMPLEX(name, integers) ONE(mublasC##name, integers), ONE(mublasZ##name, integers)
#define ALL(name, integers) REAL(name, integers), COMPLEX(name, integers)

const Function kFunctions[] = {
    // Level 1 accepts any integers: a size below 1 means nothing to do.
    ALL(axpy, "ooo"),
    ALL(copy, "ooo"),
    ALL(swap, "ooo"),
    ALL(scal, "oo"),
    ONE(mublasCsscal, "oo"),
    ONE(mublasZdscal, "oo"),
    REAL(dot, "ooo"),
    COMPLEX(dotu, "ooo"),
    COMPLEX(dotc, "ooo"),
    REAL(nrm2, "oo"),
    ONE(mublasScnrm2, "oo"),
    ONE(mublasDznrm2, "oo"),
    REAL(asum, "oo"),
    ONE(mublasScasum, "oo"),
    ONE(mublasDzasum, "oo"),
    ONE(mublasIsamax, "oo"),
    ONE(mublasIdamax, "oo"),
    ONE(mublasIcamax, "oo"),
    ONE(mublasIzamax, "oo"),
    ONE(mublasIsamin, "oo"),
    ONE(mublasIdamin, "oo"),
    ONE(mublasIcamin, "oo"),
    ONE(mublasIzamin, "oo"),
    ALL(rot, "ooo"),
    ONE(mublasCsrot, "ooo"),
    ONE(mublasZdrot, "ooo"),
    ALL(rotg, ""),
    REAL(rotm, "ooo"),
    REAL(rotmg, ""),
    ALL(gemv, "sslii"),
    ALL(gbmv, "sssslii"),
    ALL(symv, "slii"),
    COMPLEX(hemv, "slii"),
    REAL(sbmv, "sslii"),
    COMPLEX(hbmv, "sslii"),
    REAL(spmv, "sii"),
    COMPLEX(hpmv, "sii"),
    REAL(ger, "ssiil"),
    COMPLEX(geru, "ssiil"),
    COMPLEX(gerc, "ssiil"),
    ALL(syr, "sil"),
    COMPLEX(her, "sil"),
    REAL(spr, "si"),
    COMPLEX(hpr, "si"),
    ALL(syr2, "siil"),
    COMPLEX(her2, "siil"),
    REAL(spr2, "sii"),
    COMPLEX(hpr2, "sii"),
    ALL(trmv, "sli"),
    ALL(trsv, "sli"),
    ALL(tbmv, "ssli"),
    ALL(tbsv, "ssli"),
    ALL(tpmv, "si"),
    ALL(tpsv, "si"),
    ALL(gemm, "ssslll"),
    ALL(symm, "sslll"),
    COMPLEX(hemm, "sslll"),
    ALL(syrk, "ssll"),
    COMPLEX(herk, "ssll"),
    ALL(syr2k, "sslll"),
    COMPLEX(her2k, "sslll"),
    ALL(syrkx, "sslll"),
    COMPLEX(herkx, "sslll"),
    ALL(trmm, "sslll"),
    ALL(trsm, "ssll"),
    ALL(geam, "sslll"),
    ALL(dgmm, "sslil"),
    ALL(gemvBatched, "ssliis"),
    ALL(gemvStridedBatched, "ssliis"),
    ALL(gemmBatched, "sssllls"),
    ALL(gemmStridedBatched, "sssllls"),
    ALL(trsmBatched, "sslls"),
};

class Arguments : public host_tests::WithHandle, public testing::WithParamInterface<Function> {
 protected:
  // Makes a new call for each argument that `chosen` selects, and changes that argument.
  template <typename Chosen, typename Change>
  void expect_of_each(mublasStatus_t status, Chosen chosen, Change change) {
    const int count = GetParam().call()->arguments();
    for (int i = 0; i < count; ++i) {
      const auto call = GetParam().call();
      if (!chosen(*call, i)) continue;
      change(*call, i);
      EXPECT_EQ(call->with_handle(handle_), status) << "argument " << i + 1;
    }
  }
  // The letter of the integer at this place.
  static char letter(const Call& call, int which) {
    if (!call.is_integer(which)) return 0;
    int integer = 0;
    for (int i = 0; i < which; ++i) integer += call.is_integer(i) ? 1 : 0;
    return GetParam().integers[integer];
  }
};

TEST_P(Arguments, NullAndForeignHandlesAreRefused) {
  int not_a_handle = 0;
  const auto call = GetParam().call();
  EXPECT_EQ(call->with_handle(nullptr), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(call->with_handle(reinterpret_cast<mublasHandle_t>(&not_a_handle)),
            MUBLAS_STATUS_INVALID_HANDLE);
}

TEST_P(Arguments, NullPointersAreRefused) {
  expect_of_each(
      MUBLAS_STATUS_INVALID_POINTER, [](Call& call, int i) { return call.is_pointer(i); },
      [](Call& call, int i) { call.set_null(i); });
}

// 0 is a value of CUDA's enums; the others follow the last value of each enum.
TEST_P(Arguments, UnknownValuesAreRefused) {
  for (const int value : {0, 110, 114, 120, 123, 130, 133, 140, 143}) {
    expect_of_each(
        MUBLAS_STATUS_INVALID_VALUE, [](Call& call, int i) { return call.is_enum(i); },
        [=](Call& call, int i) { call.set_integer(i, value); });
  }
}

TEST_P(Arguments, WrongSizesAreRefused) {
  const auto refused = [&](char kind, int value) {
    expect_of_each(
        MUBLAS_STATUS_INVALID_SIZE, [=](Call& call, int i) { return letter(call, i) == kind; },
        [=](Call& call, int i) { call.set_integer(i, value); });
  };
  refused('s', -1);
  refused('s', std::numeric_limits<int>::min());
  refused('l', 0);
  refused('l', -5);
  refused('i', 0);
}

TEST_P(Arguments, TheTableHasEveryInteger) {
  const auto call = GetParam().call();
  std::size_t integers = 0;
  for (int i = 0; i < call->arguments(); ++i) integers += call->is_integer(i) ? 1 : 0;
  EXPECT_EQ(std::string(GetParam().integers).size(), integers);
}

INSTANTIATE_TEST_SUITE_P(Mublas, Arguments, testing::ValuesIn(kFunctions),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace

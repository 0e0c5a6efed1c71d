// The numbers of muBLAS's enumerators, found by their effect on a result.
#include <cstring>

#include "src/command/verify/probes/blas_levels.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

using Complex = std::complex<float>;

constexpr int kN = 3;

// The effect of one number: the result, or the status if it was refused.
struct Effect {
  std::int64_t status = 0;
  std::vector<Complex> result;
};

std::string told(const Effect& effect, const std::vector<Complex>& expected) {
  if (effect.status != 0) return "refused with status " + std::to_string(effect.status);
  return difference(effect.result, expected);
}

// Decides `enumerator` by one call, in which only this argument varies.
void decide(Probing& p, Blas* blas, const std::string& type, const std::string& enumerator,
            const std::string& routine, Arguments arguments, const std::string& parameter,
            const std::vector<Complex>& before, const char* place_name,
            const std::vector<Complex>& expected) {
  p.attempt([&] {
    const int number = p.value(type, enumerator);
    Complex* place = blas->device.upload(before);
    arguments.insert(arguments.begin(),
                     {{parameter, number}, {place_name, place}, {"handle", blas->handle()}});
    Effect effect;
    effect.status = p.call(routine, arguments, true).number;
    if (effect.status == 0) effect.result = blas->device.download<Complex>(place, before.size());
    p.expect_value(effect.status == 0 && near(effect.result, expected), type, enumerator,
                   "the correct result", told(effect, expected));
  });
}

void probe_operations(Probing& p) {
  Blas blas(p);
  const std::vector<Complex> a = numbers<Complex>(kN * kN, 1);
  const std::vector<Complex> b = numbers<Complex>(kN * kN, 2);
  const Dense<Complex> matrix = dense(a, kN, kN, kN);
  const Dense<Complex> other = dense(b, kN, kN, kN);
  const Complex one = 1;
  const Complex zero = 0;
  const auto probe = [&](const char* name, const Dense<Complex>& op) {
    p.attempt([&] {
      // The same operation for both operands, so that no other enumerator is taken for granted.
      const int number = p.value("mublasOperation_t", name);
      Dense<Complex> second = other;
      if (std::string(name) == "MUBLAS_OP_T") second = other.transposed();
      if (std::string(name) == "MUBLAS_OP_C") second = other.transposed(true);
      decide(p, &blas, "mublasOperation_t", name, "mublasCgemm",
             {{"transb", number},
              {"m", kN},
              {"n", kN},
              {"k", kN},
              {"alpha", &one},
              {"A", blas.device.upload(a)},
              {"lda", kN},
              {"B", blas.device.upload(b)},
              {"ldb", kN},
              {"beta", &zero},
              {"ldc", kN}},
             "transa", a, "C", (op * second).values);
    });
  };
  probe("MUBLAS_OP_N", matrix);
  probe("MUBLAS_OP_T", matrix.transposed());
  probe("MUBLAS_OP_C", matrix.transposed(true));
}

// A full matrix, but the routine uses only one triangle.
void probe_fills_and_diagonals(Probing& p) {
  Blas blas(p);
  const std::vector<Complex> a = numbers<Complex>(kN * kN, 1);
  const std::vector<Complex> x = numbers<Complex>(kN, 2);
  const Dense<Complex> column = dense(x, kN, 1, kN);
  const auto triangle = [&](bool upper, bool unit) {
    Dense<Complex> out(kN, kN);
    for (int j = 0; j < kN; ++j) {
      for (int i = 0; i < kN; ++i) {
        if (upper ? i <= j : i >= j) out(i, j) = a[index_of(i, j, kN)];
      }
      if (unit) out(j, j) = 1;
    }
    return out;
  };
  const auto common = [&] {
    return Arguments{
        {"trans", blas.op("N")}, {"n", kN}, {"A", blas.device.upload(a)}, {"lda", kN}, {"incx", 1}};
  };
  const auto fill = [&](const char* name, bool upper) {
    p.attempt([&] {
      Arguments list = common();
      list.emplace_back("diag", blas.non_unit());
      decide(p, &blas, "mublasFillMode_t", name, "mublasCtrmv", list, "uplo", x, "x",
             (triangle(upper, false) * column).values);
    });
  };
  fill("MUBLAS_FILL_MODE_UPPER", true);
  fill("MUBLAS_FILL_MODE_LOWER", false);
  const auto diagonal = [&](const char* name, bool unit) {
    p.attempt([&] {
      Arguments list = common();
      list.emplace_back("uplo", blas.upper());
      decide(p, &blas, "mublasDiagType_t", name, "mublasCtrmv", list, "diag", x, "x",
             (triangle(true, unit) * column).values);
    });
  };
  diagonal("MUBLAS_DIAG_NON_UNIT", false);
  diagonal("MUBLAS_DIAG_UNIT", true);
}

void probe_sides(Probing& p) {
  Blas blas(p);
  const std::vector<Complex> a = numbers<Complex>(kN * kN, 1);
  const std::vector<Complex> x = numbers<Complex>(kN, 2);
  Dense<Complex> diagonal(kN, kN);
  for (int i = 0; i < kN; ++i) diagonal(i, i) = x[static_cast<std::size_t>(i)];
  const Dense<Complex> matrix = dense(a, kN, kN, kN);
  const auto side = [&](const char* name, const Dense<Complex>& expected) {
    decide(p, &blas, "mublasSideMode_t", name, "mublasCdgmm",
           {{"m", kN},
            {"n", kN},
            {"A", blas.device.upload(a)},
            {"lda", kN},
            {"x", blas.device.upload(x)},
            {"incx", 1},
            {"ldc", kN}},
           "mode", a, "C", expected.values);
  };
  side("MUBLAS_SIDE_LEFT", diagonal * matrix);
  side("MUBLAS_SIDE_RIGHT", matrix * diagonal);
}

// Where scal reads its factor from.
void probe_pointer_modes(Probing& p) {
  Blas blas(p);
  const std::vector<Complex> x = numbers<Complex>(kN, 2);
  const Complex factor(2, 1);
  const Dense<Complex> expected = factor * dense(x, kN, 1, kN);
  const auto mode = [&](const char* name, const Complex* alpha) {
    p.attempt([&] {
      const int number = p.value("mublasPointerMode_t", name);
      p.forget();
      if (p.call("mublasSetPointerMode", {{"handle", blas.handle()}, {"mode", number}}).number !=
          0) {
        p.expect_value(false, "mublasPointerMode_t", name, "taken", "refused");
        return;
      }
      Complex* place = blas.device.upload(x);
      p.forget();
      const std::int64_t status =
          p.call(
               "mublasCscal",
               {{"handle", blas.handle()}, {"n", kN}, {"alpha", alpha}, {"x", place}, {"incx", 1}})
              .number;
      const std::vector<Complex> found = blas.device.download<Complex>(place, kN);
      p.forget();
      p.expect_value(status == 0 && near(found, expected.values), "mublasPointerMode_t", name,
                     "reads the factor from there", difference(found, expected.values));
    });
  };
  mode("MUBLAS_POINTER_MODE_HOST", &factor);
  mode("MUBLAS_POINTER_MODE_DEVICE", blas.device.upload(std::vector<Complex>{factor}));
}

// ---- types of elements

std::vector<std::uint16_t> halves(const std::vector<float>& values) {
  std::vector<std::uint16_t> out;
  for (const float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint32_t sign = bits >> 16 & 0x8000U;
    // Only for numbers that a half represents exactly.
    const std::uint32_t rest =
        value == 0 ? 0 : ((bits >> 23 & 0xFFU) - 127 + 15) << 10 | (bits >> 13 & 0x3FFU);
    out.push_back(static_cast<std::uint16_t>(sign | rest));
  }
  return out;
}

std::vector<std::uint16_t> bfloats(const std::vector<float>& values) {
  std::vector<std::uint16_t> out;
  for (const float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    out.push_back(static_cast<std::uint16_t>(bits >> 16));
  }
  return out;
}

struct Case {
  const char *function, *type, *compute_type, *compute;
};

// A 2 x 2 product of integers, exact in every type. `convert` gives the bytes of a type.
template <typename T, typename S>
void probe_case(Probing& p, const Case& one, const std::vector<T>& a, const std::vector<T>& b,
                const std::vector<T>& product, S factor) {
  p.attempt([&] {
    Blas blas(p);
    const int type = p.value("musaDataType_t", one.type);
    const int compute = p.value(one.compute_type, one.compute);
    const int algorithm = p.value("mublasGemmAlgo_t", "MUBLAS_GEMM_DEFAULT");
    const S zero{};
    T* place = blas.device.upload(std::vector<T>(4));
    const Arguments list = {{"handle", blas.handle()},
                            {"transa", blas.op("N")},
                            {"transA", blas.op("N")},
                            {"transb", blas.op("N")},
                            {"transB", blas.op("N")},
                            {"m", 2},
                            {"n", 2},
                            {"k", 2},
                            {"alpha", &factor},
                            {"A", blas.device.upload(a)},
                            {"Atype", type},
                            {"aType", type},
                            {"lda", 2},
                            {"B", blas.device.upload(b)},
                            {"Btype", type},
                            {"bType", type},
                            {"ldb", 2},
                            {"beta", &zero},
                            {"C", place},
                            {"Ctype", type},
                            {"cType", type},
                            {"ldc", 2},
                            {"computeType", compute},
                            {"algo", algorithm},
                            {"strideA", 4},
                            {"strideB", 4},
                            {"strideC", 4},
                            {"batchCount", 1}};
    p.good(one.function, list, true);
    const std::vector<T> found = blas.device.download<T>(place, 4);
    const bool holds = found == product;
    p.expect(holds, {one.function}, "the correct product", "a different product");
    if (!holds) return;  // Which of the numbers it was is not told.
    p.expect_value(true, "musaDataType_t", one.type, "", "multiplied with this type");
    p.expect_value(true, one.compute_type, one.compute, "", "multiplied with this setting");
    p.expect_value(true, "mublasGemmAlgo_t", "MUBLAS_GEMM_DEFAULT", "",
                   "multiplied with this setting");
  });
}

void probe_types(Probing& p, const char* function, bool by_data_type) {
  const std::vector<float> a = {1, 2, -3, 4};
  const std::vector<float> b = {2, -1, 5, 3};
  const std::vector<float> product = {5, 0, -4, 22};
  const char* type = by_data_type ? "musaDataType_t" : "mublasComputeType_t";
  const auto compute = [&](const char* own, const char* data) { return by_data_type ? data : own; };
  probe_case<float, float>(
      p, {function, "MUSA_R_32F", type, compute("MUBLAS_COMPUTE_32F", "MUSA_R_32F")}, a, b, product,
      1.F);
  probe_case<double, double>(
      p, {function, "MUSA_R_64F", type, compute("MUBLAS_COMPUTE_64F", "MUSA_R_64F")},
      {a.begin(), a.end()}, {b.begin(), b.end()}, {product.begin(), product.end()}, 1.0);
  probe_case<std::uint16_t, float>(
      p, {function, "MUSA_R_16F", type, compute("MUBLAS_COMPUTE_32F", "MUSA_R_32F")}, halves(a),
      halves(b), halves(product), 1.F);
  probe_case<std::uint16_t, float>(
      p, {function, "MUSA_R_16BF", type, compute("MUBLAS_COMPUTE_32F", "MUSA_R_32F")}, bfloats(a),
      bfloats(b), bfloats(product), 1.F);
  if (by_data_type) return;
  probe_case<std::uint16_t, std::uint16_t>(p, {function, "MUSA_R_16F", type, "MUBLAS_COMPUTE_16F"},
                                           halves(a), halves(b), halves(product), 0x3C00);
  for (const char* fast : {"MUBLAS_COMPUTE_32F_FAST_16F", "MUBLAS_COMPUTE_32F_FAST_TF32"}) {
    probe_case<float, float>(p, {function, "MUSA_R_32F", type, fast}, a, b, product, 1.F);
  }
}

// The half precision product. Its scalars are halves too.
void probe_half(Probing& p) {
  const std::vector<std::uint16_t> a = halves({1, 2, -3, 4});
  const std::vector<std::uint16_t> b = halves({2, -1, 5, 3});
  const std::vector<std::uint16_t> product = halves({5, 0, -4, 22});
  for (const char* function : {"mublasHgemm", "mublasHgemmStridedBatched"}) {
    p.attempt([&] {
      Blas blas(p);
      const std::uint16_t one = 0x3C00;
      const std::uint16_t zero = 0;
      auto* place = blas.device.upload(std::vector<std::uint16_t>(4));
      p.good(function,
             {{"handle", blas.handle()},
              {"transa", blas.op("N")},
              {"transb", blas.op("N")},
              {"m", 2},
              {"n", 2},
              {"k", 2},
              {"alpha", &one},
              {"A", blas.device.upload(a)},
              {"lda", 2},
              {"B", blas.device.upload(b)},
              {"ldb", 2},
              {"beta", &zero},
              {"C", place},
              {"ldc", 2},
              {"strideA", 4},
              {"strideB", 4},
              {"strideC", 4},
              {"batchCount", 1}},
             true);
      p.expect(blas.device.download<std::uint16_t>(place, 4) == product, {function},
               "the correct product", "a different product");
    });
  }
}

void probe_status_names(Probing& p) {
  for (const Fact* fact : p.facts().values("mublasStatus_t")) {
    if (!fact->value) continue;
    const Answer text = p.call("mublasGetStatusString", {{"status", *fact->value}});
    const std::string found = text.pointer ? static_cast<const char*>(text.pointer) : "";
    p.expect(!found.empty(), {"mublasGetStatusString"}, "a string", "none");
    // Any other text says nothing about the number.
    if (found.starts_with("MUBLAS_STATUS_")) {
      p.decide(fact->id, found == fact->name, fact->name, "'" + found + "'");
    } else {
      p.leave(fact->id, "muBLAS calls it '" + found + "'");
    }
  }
  p.attempt([&] {
    OutBuffer mode;
    const std::int64_t status =
        p.call("mublasGetPointerMode", {{"handle", nullptr}, {"mode", &mode}}).number;
    const Fact* fact = p.facts().value("mublasStatus_t", "MUBLAS_STATUS_INVALID_HANDLE");
    if (fact && fact->value) {
      p.decide(fact->id, status == *fact->value, fact->claim + " for a null handle",
               std::to_string(status));
    }
  });
}

}  // namespace

std::vector<Probe> blas_enum_probes() {
  std::vector<Probe> out = {{"blas.operations", probe_operations},
                            {"blas.fills", probe_fills_and_diagonals},
                            {"blas.sides", probe_sides},
                            {"blas.pointer_modes", probe_pointer_modes},
                            {"blas.half", probe_half},
                            {"blas.status", probe_status_names}};
  for (const char* function : {"mublasGemmEx", "mublasGemmStridedBatchedEx"}) {
    out.push_back({std::string("blas.types.") + function,
                   [function](Probing& p) { probe_types(p, function, false); }});
  }
  out.push_back({"blas.types.overload", [](Probing& p) {
                   probe_types(p,
                               "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_"
                               "14musaDataType_tiS3_S4_iS3_PvS4_iS4_16mublasGemmAlgo_t",
                               true);
                 }});
  return out;
}

}  // namespace torchada::verify

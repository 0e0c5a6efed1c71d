// muBLASLt: descriptions keep what is set, and products with each epilogue.
#include <cmath>
#include <cstring>

#include "src/command/verify/probes/dense.h"
#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr int kM = 4;
constexpr int kN = 3;
constexpr int kK = 5;

class Lt {
 public:
  explicit Lt(Probing& probing) : p(probing), device(probing) {
    OutBuffer buffer;
    p.good("mublasLtCreate", {{"lightHandle", &buffer}});
    handle = buffer.pointer();
    float_type = p.value("musaDataType_t", "MUSA_R_32F");
  }

  void* description() {
    OutBuffer buffer;
    p.good("mublasLtMatmulDescCreate",
           {{"matmulDesc", &buffer},
            {"computeType", p.value("mublasComputeType_t", "MUBLAS_COMPUTE_32F")},
            {"scaleType", float_type}});
    return buffer.pointer();
  }

  void* layout(int rows, int columns, int ld) {
    OutBuffer buffer;
    p.good("mublasLtMatrixLayoutCreate", {{"matLayout", &buffer},
                                          {"type", float_type},
                                          {"rows", rows},
                                          {"cols", columns},
                                          {"ld", ld}});
    return buffer.pointer();
  }

  Probing& p;
  Device device;
  void* handle = nullptr;
  int float_type = 0;
};

template <typename T>
void set(Probing& p, const std::string& function, const std::string& object, void* which,
         int attribute, T value) {
  p.good(function,
         {{object, which}, {"attr", attribute}, {"buf", &value}, {"sizeInBytes", sizeof value}});
}

// Computes alpha * A * B and applies the epilogue, then compares with `expected`.
void product(Lt* lt, void* description, const std::vector<float>& expected,
             const std::function<void(bool, const std::string&)>& decide) {
  Probing& p = lt->p;
  const float alpha = 2;
  const float beta = 0;
  const std::vector<float> a = numbers<float>(6 * kK, 1);
  const std::vector<float> b = numbers<float>(7 * kN, 2);
  const std::vector<float> c(elements(5, kN));
  float* place = lt->device.upload(c);
  void* c_layout = lt->layout(kM, kN, 5);
  p.good("mublasLtMatmul", {{"lightHandle", lt->handle},
                            {"computeDesc", description},
                            {"alpha", &alpha},
                            {"A", lt->device.upload(a)},
                            {"Adesc", lt->layout(kM, kK, 6)},
                            {"B", lt->device.upload(b)},
                            {"Bdesc", lt->layout(kK, kN, 7)},
                            {"beta", &beta},
                            {"C", place},
                            {"Cdesc", c_layout},
                            {"D", place},
                            {"Ddesc", c_layout},
                            {"algo", nullptr},
                            {"workspace", nullptr},
                            {"workspaceSizeInBytes", 0},
                            {"stream", nullptr}});
  const std::vector<float> found = lt->device.download<float>(place, c.size());
  decide(near(found, expected), difference(found, expected));
}

std::vector<float> plain_product() {
  const std::vector<float> a = numbers<float>(6 * kK, 1);
  const std::vector<float> b = numbers<float>(7 * kN, 2);
  std::vector<float> out(elements(5, kN));
  for (int j = 0; j < kN; ++j) {
    for (int i = 0; i < kM; ++i) {
      float sum = 0;
      for (int l = 0; l < kK; ++l) {
        sum += a[index_of(i, l, 6)] * b[index_of(l, j, 7)];
      }
      out[index_of(i, j, 5)] = 2 * sum;
    }
  }
  return out;
}

void probe_product(Probing& p) {
  Lt lt(p);
  void* description = lt.description();
  product(&lt, description, plain_product(), [&](bool holds, const std::string& found) {
    p.expect(holds,
             {"mublasLtCreate", "mublasLtMatmulDescCreate", "mublasLtMatrixLayoutCreate",
              "mublasLtMatmul"},
             "the correct product", found);
  });
  p.attempt([&] {
    p.good("mublasLtMatmulDescDestroy", {{"matmulDesc", description}});
    p.good("mublasLtMatrixLayoutDestroy", {{"matLayout", lt.layout(1, 1, 1)}});
    p.good("mublasLtDestroy", {{"lightHandle", lt.handle}});
    p.expect(true, {"mublasLtMatmulDescDestroy", "mublasLtMatrixLayoutDestroy", "mublasLtDestroy"},
             "", "destroyed");
  });
}

void probe_epilogues(Probing& p) {
  Lt lt(p);
  const std::vector<float> bias = {1, -2, 3, -4};
  const std::vector<float> plain = plain_product();
  const auto epilogue = [&](const char* name, bool with_bias, float (*function)(float)) {
    p.attempt([&] {
      void* description = lt.description();
      const int attribute =
          p.value("mublasLtMatmulDescAttributes_t", "MUBLASLT_MATMUL_DESC_EPILOGUE");
      const int number = p.value("mublasLtEpilogue_t", name);
      set(p, "mublasLtMatmulDescSetAttribute", "matmulDesc", description, attribute, number);
      if (with_bias) {
        set(p, "mublasLtMatmulDescSetAttribute", "matmulDesc", description,
            p.value("mublasLtMatmulDescAttributes_t", "MUBLASLT_MATMUL_DESC_BIAS_POINTER"),
            static_cast<void*>(lt.device.upload(bias)));
      }
      std::vector<float> expected = plain;
      for (int j = 0; j < kN; ++j) {
        for (int i = 0; i < kM; ++i) {
          float& element = expected[index_of(i, j, 5)];
          element = function(element + (with_bias ? bias[static_cast<std::size_t>(i)] : 0));
        }
      }
      product(&lt, description, expected, [&](bool holds, const std::string& found) {
        p.forget();
        p.expect_value(holds, "mublasLtEpilogue_t", name, "the correct result", found);
        if (!holds) return;
        p.expect_value(true, "mublasLtMatmulDescAttributes_t", "MUBLASLT_MATMUL_DESC_EPILOGUE", "",
                       "has its effect");
        if (with_bias) {
          p.expect_value(true, "mublasLtMatmulDescAttributes_t",
                         "MUBLASLT_MATMUL_DESC_BIAS_POINTER", "", "has its effect");
        }
      });
    });
  };
  const auto same = [](float x) { return x; };
  const auto relu = [](float x) { return x > 0 ? x : 0.F; };
  const auto gelu = [](float x) {
    const double inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    return static_cast<float>(0.5 * x * (1 + std::tanh(inner)));
  };
  epilogue("MUBLASLT_EPILOGUE_DEFAULT", false, same);
  epilogue("MUBLASLT_EPILOGUE_RELU", false, relu);
  epilogue("MUBLASLT_EPILOGUE_BIAS", true, same);
  epilogue("MUBLASLT_EPILOGUE_RELU_BIAS", true, relu);
  epilogue("MUBLASLT_EPILOGUE_GELU", false, gelu);
  epilogue("MUBLASLT_EPILOGUE_GELU_BIAS", true, gelu);
}

// A description must report, under the attribute's number, what it was made with.
template <typename T>
void told(Probing& p, const std::string& function, const std::string& object, void* which,
          const std::string& type, const char* attribute, T expected) {
  p.attempt([&] {
    const int number = p.value(type, attribute);
    OutBuffer value;
    OutBuffer written;
    p.good(function, {{object, which},
                      {"attr", number},
                      {"buf", value.data()},
                      {"sizeInBytes", sizeof expected},
                      {"sizeWritten", &written}});
    p.forget();
    const bool holds = value.get<T>() == expected &&
                       written.integer() == static_cast<std::int64_t>(sizeof expected);
    p.expect_value(
        holds, type, attribute, std::to_string(expected),
        std::to_string(value.get<T>()) + " in " + std::to_string(written.integer()) + " bytes");
    if (holds) p.expect(true, {function}, "", "returns the value that was set");
  });
}

void probe_attributes(Probing& p) {
  Lt lt(p);
  void* layout = lt.layout(11, 12, 13);
  const char* type = "mublasLtMatrixLayoutAttribute_t";
  const auto of_layout = [&](const char* name, auto expected) {
    told(p, "mublasLtMatrixLayoutGetAttribute", "matLayout", layout, type, name, expected);
  };
  of_layout("MUBLASLT_MATRIX_LAYOUT_TYPE", static_cast<std::uint32_t>(lt.float_type));
  of_layout("MUBLASLT_MATRIX_LAYOUT_ROWS", std::uint64_t{11});
  of_layout("MUBLASLT_MATRIX_LAYOUT_COLS", std::uint64_t{12});
  of_layout("MUBLASLT_MATRIX_LAYOUT_LD", std::int64_t{13});
  p.attempt([&] {
    set(p, "mublasLtMatrixLayoutSetAttribute", "matLayout", layout,
        p.value(type, "MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT"), 3);
    set(p, "mublasLtMatrixLayoutSetAttribute", "matLayout", layout,
        p.value(type, "MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET"), std::int64_t{4711});
    p.expect(true, {"mublasLtMatrixLayoutSetAttribute"}, "", "set");
    p.forget();
    of_layout("MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT", 3);
    of_layout("MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET", std::int64_t{4711});
  });
  void* description = lt.description();
  p.forget();
  type = "mublasLtMatmulDescAttributes_t";
  const auto of_description = [&](const char* name, auto expected) {
    told(p, "mublasLtMatmulDescGetAttribute", "matmulDesc", description, type, name, expected);
  };
  p.attempt([&] {
    of_description("MUBLASLT_MATMUL_DESC_COMPUTE_TYPE",
                   p.value("mublasComputeType_t", "MUBLAS_COMPUTE_32F"));
    of_description("MUBLASLT_MATMUL_DESC_SCALE_TYPE", lt.float_type);
    const int transposed = p.value("mublasOperation_t", "MUBLAS_OP_T");
    set(p, "mublasLtMatmulDescSetAttribute", "matmulDesc", description,
        p.value(type, "MUBLASLT_MATMUL_DESC_TRANSB"), transposed);
    p.expect(true, {"mublasLtMatmulDescSetAttribute"}, "", "set");
    of_description("MUBLASLT_MATMUL_DESC_TRANSB", transposed);
    of_description("MUBLASLT_MATMUL_DESC_TRANSA", p.value("mublasOperation_t", "MUBLAS_OP_N"));
  });
}

void probe_heuristics(Probing& p) {
  Lt lt(p);
  OutBuffer preference;
  p.good("mublasLtMatmulPreferenceCreate", {{"pref", &preference}});
  set(p, "mublasLtMatmulPreferenceSetAttribute", "pref", preference.pointer(),
      p.value("mublasLtMatmulPreferenceAttributes_t", "MUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES"),
      std::uint64_t{1} << 20);
  void* layout = lt.layout(kM, kN, 5);
  OutBuffer results;
  OutBuffer count;
  p.good("mublasLtMatmulAlgoGetHeuristic", {{"lightHandle", lt.handle},
                                            {"operationDesc", lt.description()},
                                            {"Adesc", lt.layout(kM, kK, 6)},
                                            {"Bdesc", lt.layout(kK, kN, 7)},
                                            {"Cdesc", layout},
                                            {"Ddesc", layout},
                                            {"preference", preference.pointer()},
                                            {"requestedAlgoCount", 1},
                                            {"heuristicResultsArray", results.data()},
                                            {"returnAlgoCount", &count}});
  p.expect(count.integer() == 1,
           {"mublasLtMatmulPreferenceCreate", "mublasLtMatmulPreferenceSetAttribute",
            "mublasLtMatmulAlgoGetHeuristic"},
           "one algorithm", std::to_string(count.integer()));
  const Fact* size = p.facts().size("mublasLtMatmulHeuristicResult_t");
  if (size) {
    p.leave(size->id, "the tables do not contain it; " + std::to_string(results.written()) +
                          " bytes were written for one");
  }
  p.good("mublasLtMatmulPreferenceDestroy", {{"pref", preference.pointer()}});
  p.expect(true, {"mublasLtMatmulPreferenceDestroy"}, "", "destroyed");
}

void probe_transform(Probing& p) {
  Lt lt(p);
  OutBuffer description;
  p.good("mublasLtMatrixTransformDescCreate",
         {{"transformDesc", &description}, {"scaleType", lt.float_type}});
  const std::vector<float> a = numbers<float>(kM * kN, 1);
  float* place = lt.device.upload(std::vector<float>(a.size()));
  const float alpha = 3;
  const float beta = 0;
  void* layout = lt.layout(kM, kN, kM);
  p.good("mublasLtMatrixTransform", {{"lightHandle", lt.handle},
                                     {"transformDesc", description.pointer()},
                                     {"alpha", &alpha},
                                     {"A", lt.device.upload(a)},
                                     {"Adesc", layout},
                                     {"beta", &beta},
                                     {"B", nullptr},
                                     {"Bdesc", nullptr},
                                     {"C", place},
                                     {"Cdesc", layout},
                                     {"stream", nullptr}});
  std::vector<float> expected = a;
  for (float& element : expected) element *= 3;
  const auto found = lt.device.download<float>(place, a.size());
  p.expect(near(found, expected), {"mublasLtMatrixTransformDescCreate", "mublasLtMatrixTransform"},
           "the scaled matrix", difference(found, expected));
  p.good("mublasLtMatrixTransformDescDestroy", {{"transformDesc", description.pointer()}});
  p.expect(true, {"mublasLtMatrixTransformDescDestroy"}, "", "destroyed");
}

}  // namespace

std::vector<Probe> blas_lt_probes() {
  return {{"blas_lt.product", probe_product},
          {"blas_lt.epilogues", probe_epilogues},
          {"blas_lt.attributes", probe_attributes},
          {"blas_lt.heuristics", probe_heuristics},
          {"blas_lt.transform", probe_transform}};
}

}  // namespace torchada::verify

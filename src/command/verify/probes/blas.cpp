// muBLAS routines: each is called once with arguments that cannot be confused, and its result is
// checked.
#include "src/command/verify/probes/blas_levels.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

template <typename T>
void add_levels(std::vector<Probe>* out) {
  const std::string suffix(1, letter<T>());
  out->push_back({"blas.vectors." + suffix, probe_vectors<T>});
  out->push_back({"blas.matrix_vector." + suffix, probe_matrix_vector<T>});
  out->push_back({"blas.updates." + suffix, probe_updates<T>});
  out->push_back({"blas.products." + suffix, probe_products<T>});
  out->push_back({"blas.batches." + suffix, probe_batches<T>});
}

void probe_settings(Probing& p) {
  Blas blas(p);
  p.expect(true, {"mublasCreate"}, "", "a handle");
  p.attempt([&] {
    OutBuffer stream;
    p.good("musaStreamCreate", {{"pStream", &stream}});
    p.good("mublasSetStream", {{"handle", blas.handle()}, {"streamId", stream.pointer()}});
    OutBuffer back;
    p.good("mublasGetStream", {{"handle", blas.handle()}, {"streamId", &back}});
    p.expect(back.pointer() == stream.pointer(), {"mublasSetStream", "mublasGetStream"},
             "the stream that was set", "a different stream");
  });
  const auto mode = [&](const std::string& what, const std::string& type,
                        const std::vector<std::string>& values) {
    for (const std::string& name : values) {
      p.attempt([&] {
        const int number = p.value(type, name);
        p.forget();
        p.good("mublasSet" + what, {{"handle", blas.handle()}, {"mode", number}});
        OutBuffer back;
        p.good("mublasGet" + what, {{"handle", blas.handle()}, {"mode", &back}});
        p.expect(back.integer() == number, {"mublasSet" + what, "mublasGet" + what},
                 std::to_string(number), std::to_string(back.integer()));
      });
    }
  };
  mode("PointerMode", "mublasPointerMode_t",
       {"MUBLAS_POINTER_MODE_DEVICE", "MUBLAS_POINTER_MODE_HOST"});
  mode("AtomicsMode", "mublasAtomicsMode_t",
       {"MUBLAS_ATOMICS_ALLOWED", "MUBLAS_ATOMICS_NOT_ALLOWED"});
  p.attempt([&] {
    OutBuffer back;
    p.good("mublasGetMathMode", {{"handle", blas.handle()}, {"mode", &back}});
    p.good("mublasSetMathMode", {{"handle", blas.handle()}, {"mode", back.integer()}});
    p.expect(true, {"mublasGetMathMode", "mublasSetMathMode"}, "", "accepts the current mode");
  });
  p.attempt([&] {
    void* space = blas.device.allocate(1 << 20);
    p.good("mublasSetWorkspace",
           {{"handle", blas.handle()}, {"workspace", space}, {"workspaceSizeInBytes", 1 << 20}});
    p.expect(true, {"mublasSetWorkspace"}, "", "set");
  });
}

void probe_transfers(Probing& p) {
  Blas blas(p);
  const std::vector<float> host = numbers<float>(24, 2);
  std::vector<float> back(24, 0.F);
  auto* place = static_cast<float*>(blas.device.allocate(24 * sizeof(float)));
  p.attempt([&] {
    // Copies every second element to every third.
    std::vector<float> expected(24, -1.F);
    blas.device.copy(place, expected.data(), 24 * sizeof(float), "musaMemcpyHostToDevice");
    p.good("mublasSetVectorAsync",
           {{"n", 8},
            {"elemSize", 4},
            {"hostPtr", host.data()},
            {"x", host.data()},
            {"incx", 2},
            {"devicePtr", place},
            {"y", place},
            {"incy", 3},
            {"stream", nullptr}},
           true);
    for (std::size_t i = 0; i < 8; ++i) expected[3 * i] = host[2 * i];
    p.expect(near(blas.device.download<float>(place, 24), expected), {"mublasSetVectorAsync"},
             "every third element", "different values");
    p.good("mublasGetVectorAsync",
           {{"n", 8},
            {"elemSize", 4},
            {"devicePtr", place},
            {"x", place},
            {"incx", 3},
            {"hostPtr", back.data()},
            {"y", back.data()},
            {"incy", 2},
            {"stream", nullptr}},
           true);
    blas.device.synchronize();
    bool holds = true;
    for (std::size_t i = 0; i < 8; ++i) holds = holds && back[2 * i] == host[2 * i];
    p.expect(holds, {"mublasGetVectorAsync"}, "every second element", "different values");
  });
  p.attempt([&] {
    // Copies a 3 x 4 matrix from leading dimension 5 to 6.
    std::vector<float> expected(24, -1.F);
    blas.device.copy(place, expected.data(), 24 * sizeof(float), "musaMemcpyHostToDevice");
    p.good("mublasSetMatrixAsync", {{"rows", 3},
                                    {"cols", 4},
                                    {"elemSize", 4},
                                    {"A", host.data()},
                                    {"lda", 5},
                                    {"B", place},
                                    {"ldb", 6},
                                    {"stream", nullptr}});
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 3; ++i) expected[i + 6 * j] = host[i + 5 * j];
    }
    p.expect(near(blas.device.download<float>(place, 24), expected), {"mublasSetMatrixAsync"},
             "3 rows and 4 columns", "different values");
    p.good("mublasGetMatrixAsync", {{"rows", 3},
                                    {"cols", 4},
                                    {"elemSize", 4},
                                    {"A", place},
                                    {"lda", 6},
                                    {"B", back.data()},
                                    {"ldb", 5},
                                    {"stream", nullptr}});
    blas.device.synchronize();
    bool holds = true;
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 3; ++i) holds = holds && back[i + 5 * j] == host[i + 5 * j];
    }
    p.expect(holds, {"mublasGetMatrixAsync"}, "3 rows and 4 columns", "different values");
  });
}

}  // namespace

std::vector<Probe> blas_probes() {
  std::vector<Probe> out = {{"blas.settings", probe_settings}, {"blas.transfers", probe_transfers}};
  add_levels<float>(&out);
  add_levels<double>(&out);
  add_levels<std::complex<float>>(&out);
  add_levels<std::complex<double>>(&out);
  return out;
}

}  // namespace torchada::verify

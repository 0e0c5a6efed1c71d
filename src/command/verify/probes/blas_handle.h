// A muBLAS handle, and arguments for probes of its routines.
#pragma once

#include "src/command/verify/probes/dense.h"
#include "src/command/verify/probes/memory.h"

namespace torchada::verify {

// 'S', 'D', 'C' or 'Z' for the four types.
template <typename T>
constexpr char letter() {
  if constexpr (Scalar<T>::kIsComplex) return sizeof(T) == 8 ? 'C' : 'Z';
  return sizeof(T) == 4 ? 'S' : 'D';
}

class Blas {
 public:
  explicit Blas(Probing& probing) : p(probing), device(probing) {
    OutBuffer buffer;
    p.good("mublasCreate", {{"handle", &buffer}});
    handle_ = buffer.pointer();
    p.good("mublasSetPointerMode",
           {{"handle", handle_},
            {"mode", p.value("mublasPointerMode_t", "MUBLAS_POINTER_MODE_HOST")}});
  }

  void* handle() const { return handle_; }
  int op(const char* which) {
    return p.value("mublasOperation_t", std::string("MUBLAS_OP_") + which);
  }
  int upper() { return p.value("mublasFillMode_t", "MUBLAS_FILL_MODE_UPPER"); }
  int left() { return p.value("mublasSideMode_t", "MUBLAS_SIDE_LEFT"); }
  int right() { return p.value("mublasSideMode_t", "MUBLAS_SIDE_RIGHT"); }
  int non_unit() { return p.value("mublasDiagType_t", "MUBLAS_DIAG_NON_UNIT"); }

  // Calls the routine, reads `count` elements at `out` and compares them. Passes only those of
  // `arguments` that the table's prototype names.
  template <typename T>
  void check(const std::string& routine, Arguments arguments, const void* out,
             const std::vector<T>& expected) {
    arguments.emplace_back("handle", handle_);
    p.good(routine, arguments, true);
    const std::vector<T> found = device.download<T>(out, expected.size());
    p.expect(near(found, expected), {routine}, "the correct product", difference(found, expected));
  }

  // The same for a result in host memory.
  template <typename T>
  void check_result(const std::string& routine, Arguments arguments, T expected) {
    OutBuffer buffer;
    arguments.emplace_back("handle", handle_);
    arguments.emplace_back("result", &buffer);
    p.good(routine, arguments, true);
    device.synchronize();
    const std::vector<T> found = {buffer.get<T>()};
    p.expect(near(found, {expected}), {routine}, "the correct value",
             difference(found, {expected}));
  }

  Probing& p;
  Device device;

 private:
  void* handle_ = nullptr;
};

}  // namespace torchada::verify

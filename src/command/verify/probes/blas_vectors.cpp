// Level 1.
#include "src/command/verify/probes/blas_levels.h"

namespace torchada::verify {
namespace {

constexpr int kN = 5;
constexpr int kIncX = 2;
constexpr int kIncY = 3;

template <typename T>
double absolute(T value) {
  return std::abs(std::real(value)) + std::abs(std::imag(value));
}

template <typename T>
struct Vectors {
  using Real = typename Scalar<T>::Real;

  explicit Vectors(Probing& probing)
      : p(probing),
        blas(probing),
        x(numbers<T>(kN * kIncX, 1)),
        y(numbers<T>(kN * kIncY, 2)),
        dx(strided(x, kN, kIncX)),
        dy(strided(y, kN, kIncY)) {}

  Arguments arguments() {
    x_ = blas.device.upload(x);
    y_ = blas.device.upload(y);
    return {{"n", kN}, {"x", x_}, {"incx", kIncX}, {"y", y_}, {"incy", kIncY}};
  }

  void changes_y(const std::string& routine, const Dense<T>& result, const T* alpha = nullptr) {
    p.attempt([&] {
      Arguments list = arguments();
      list.emplace_back("alpha", alpha);
      blas.check(routine, list, y_, placed_strided(result, y, kIncY));
    });
  }

  template <typename A>
  void changes_x(const std::string& routine, const Dense<T>& result, const A* alpha) {
    p.attempt([&] {
      Arguments list = arguments();
      list.emplace_back("alpha", alpha);
      blas.check(routine, list, x_, placed_strided(result, x, kIncX));
    });
  }

  template <typename R>
  void gives(const std::string& routine, R expected) {
    p.attempt([&] { blas.check_result(routine, arguments(), expected); });
  }

  template <typename S>
  void rotates(const std::string& routine, Real c, S s) {
    p.attempt([&] {
      Arguments list = arguments();
      list.emplace_back("c", &c);
      list.emplace_back("s", &s);
      const T sine = T(s);
      blas.check(routine, list, x_, placed_strided(T(c) * dx + sine * dy, x, kIncX));
      const std::vector<T> found = blas.device.template download<T>(y_, y.size());
      const std::vector<T> expected =
          placed_strided(T(c) * dy + T(-1) * (Scalar<T>::conjugate(sine) * dx), y, kIncY);
      p.expect(near(found, expected), {routine}, "both vectors rotated",
               difference(found, expected));
    });
  }

  Probing& p;
  Blas blas;
  std::vector<T> x, y;
  Dense<T> dx, dy;
  T *x_ = nullptr, *y_ = nullptr;
};

// rotg: c*a + s*b is r, and -conj(s)*a + c*b is zero.
template <typename T>
void probe_rotg(Vectors<T>* v, const std::string& routine) {
  using Real = typename Scalar<T>::Real;
  v->p.attempt([&] {
    const T a = Scalar<T>::make(3, 0);
    const T b = Scalar<T>::make(4, 0);
    OutBuffer ra;
    OutBuffer rb;
    OutBuffer rc;
    OutBuffer rs;
    __builtin_memcpy(ra.data(), &a, sizeof a);
    __builtin_memcpy(rb.data(), &b, sizeof b);
    v->p.good(routine,
              {{"handle", v->blas.handle()}, {"a", &ra}, {"b", &rb}, {"c", &rc}, {"s", &rs}});
    v->blas.device.synchronize();
    const Real c = rc.get<Real>();
    const T s = rs.get<T>();
    const bool holds = std::abs(T(c) * a + s * b - ra.get<T>()) < Real(1e-3) &&
                       std::abs(-Scalar<T>::conjugate(s) * a + T(c) * b) < Real(1e-3);
    v->p.expect(holds, {routine}, "a rotation that turns b into zero", "a different rotation");
  });
}

template <typename T>
void probe_modified(Vectors<T>* v, const std::string& prefix) {
  // Flag -1: all four elements of H are given, column by column.
  const std::vector<T> h = {T(-1), T(0.5), T(2), T(-3), T(0.25)};
  v->p.attempt([&] {
    Arguments list = v->arguments();
    list.emplace_back("param", h.data());
    v->blas.check(prefix + "rotm", list, v->x_,
                  placed_strided(h[1] * v->dx + h[3] * v->dy, v->x, kIncX));
    const std::vector<T> found = v->blas.device.template download<T>(v->y_, v->y.size());
    const std::vector<T> expected = placed_strided(h[2] * v->dx + h[4] * v->dy, v->y, kIncY);
    v->p.expect(near(found, expected), {prefix + "rotm"}, "both vectors rotated",
                difference(found, expected));
  });
  v->p.attempt([&] {
    OutBuffer d1;
    OutBuffer d2;
    OutBuffer x1;
    OutBuffer param;
    const T values[4] = {T(2), T(3), T(5), T(1)};
    __builtin_memcpy(d1.data(), &values[0], sizeof(T));
    __builtin_memcpy(d2.data(), &values[1], sizeof(T));
    __builtin_memcpy(x1.data(), &values[2], sizeof(T));
    v->p.call(prefix + "rotmg", {{"handle", v->blas.handle()},
                                 {"d1", d1.data()},
                                 {"d2", d2.data()},
                                 {"x1", x1.data()},
                                 {"y1", &values[3]},
                                 {"param", param.data()}});
    v->blas.device.synchronize();
    // Because |d1*x1^2| > |d2*y1^2|: flag 0, h21 = -y1/x1, h12 = d2*y1/(d1*x1).
    const std::vector<T> found = {param.get<T>(), param.get<T>(2 * sizeof(T)),
                                  param.get<T>(3 * sizeof(T))};
    const std::vector<T> expected = {T(0), T(-0.2), T(0.3)};
    v->p.expect(near(found, expected), {prefix + "rotmg"}, "the correct rotation",
                difference(found, expected));
  });
}

}  // namespace

template <typename T>
void probe_vectors(Probing& p) {
  using Real = typename Scalar<T>::Real;
  Vectors<T> v(p);
  const std::string letter_text(1, letter<T>());
  const std::string prefix = "mublas" + letter_text;
  const T alpha = Scalar<T>::make(1.5, -0.5);
  v.changes_y(prefix + "axpy", v.dy + alpha * v.dx, &alpha);
  v.changes_y(prefix + "copy", v.dx);
  v.changes_y(prefix + "swap", v.dx);
  v.changes_x(prefix + "scal", alpha * v.dx, &alpha);
  T dot{};
  T dot_conjugated{};
  double squares = 0;
  double sum = 0;
  int greatest = 0;
  int least = 0;
  for (int i = 0; i < kN; ++i) {
    dot += v.dx(i, 0) * v.dy(i, 0);
    dot_conjugated += Scalar<T>::conjugate(v.dx(i, 0)) * v.dy(i, 0);
    squares += static_cast<double>(std::norm(v.dx(i, 0)));
    sum += absolute(v.dx(i, 0));
    if (absolute(v.dx(i, 0)) > absolute(v.dx(greatest, 0))) greatest = i;
    if (absolute(v.dx(i, 0)) < absolute(v.dx(least, 0))) least = i;
  }
  const Real c = Real(0.6);
  const Real s = Real(0.8);
  const std::string real_letter(1, letter<Real>());
  if constexpr (Scalar<T>::kIsComplex) {
    const Real real_alpha = Real(-2);
    v.gives(prefix + "dotu", dot);
    v.gives(prefix + "dotc", dot_conjugated);
    const std::string mixed = letter_text + static_cast<char>(real_letter[0] + 'a' - 'A');
    const std::string result = real_letter + static_cast<char>(letter_text[0] + 'a' - 'A');
    v.changes_x("mublas" + mixed + "scal", T(real_alpha) * v.dx, &real_alpha);
    v.gives("mublas" + result + "nrm2", static_cast<Real>(std::sqrt(squares)));
    v.gives("mublas" + result + "asum", static_cast<Real>(sum));
    v.rotates("mublas" + mixed + "rot", c, s);
    v.rotates(prefix + "rot", c, Scalar<T>::make(0.48, 0.64));
  } else {
    v.gives(prefix + "dot", dot);
    v.gives(prefix + "nrm2", static_cast<Real>(std::sqrt(squares)));
    v.gives(prefix + "asum", static_cast<Real>(sum));
    v.rotates(prefix + "rot", c, s);
    probe_modified(&v, prefix);
  }
  probe_rotg(&v, prefix + "rotg");
  const std::string index = std::string("mublasI") + static_cast<char>(letter_text[0] + 'a' - 'A');
  p.attempt([&] {
    OutBuffer buffer;
    Arguments list = v.arguments();
    list.emplace_back("handle", v.blas.handle());
    list.emplace_back("result", &buffer);
    p.good(index + "amax", list, true);
    v.blas.device.synchronize();
    p.expect(buffer.get<int>() == greatest + 1, {index + "amax"}, std::to_string(greatest + 1),
             std::to_string(buffer.get<int>()));
    buffer.clear();
    p.good(index + "amin", list, true);
    v.blas.device.synchronize();
    p.expect(buffer.get<int>() == least + 1, {index + "amin"}, std::to_string(least + 1),
             std::to_string(buffer.get<int>()));
  });
}

TORCHADA_FOR_BLAS_TYPES(probe_vectors)

}  // namespace torchada::verify

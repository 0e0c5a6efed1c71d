// A backend whose functions read what its constructor wrote, without any synchronisation: a caller
// must be ordered after the constructor.

namespace {

int offset[100];

__attribute__((constructor)) void construct() {
  for (int i = 0; i < 100; ++i) offset[i] = i;
}

template <int kIndex>
int function(int x) {
  return x * 100 + offset[kIndex];
}

}  // namespace

#define TEN(t)                                                    \
  extern "C" {                                                    \
  int back_##t##0(int x) { return function<(1##t##0) - 100>(x); } \
  int back_##t##1(int x) { return function<(1##t##1) - 100>(x); } \
  int back_##t##2(int x) { return function<(1##t##2) - 100>(x); } \
  int back_##t##3(int x) { return function<(1##t##3) - 100>(x); } \
  int back_##t##4(int x) { return function<(1##t##4) - 100>(x); } \
  int back_##t##5(int x) { return function<(1##t##5) - 100>(x); } \
  int back_##t##6(int x) { return function<(1##t##6) - 100>(x); } \
  int back_##t##7(int x) { return function<(1##t##7) - 100>(x); } \
  int back_##t##8(int x) { return function<(1##t##8) - 100>(x); } \
  int back_##t##9(int x) { return function<(1##t##9) - 100>(x); } \
  }
TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6)

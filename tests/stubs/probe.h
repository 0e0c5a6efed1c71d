// The functions of the probe library: a replacement library over a backend of its own, with one
// function for each way to pass an argument. probe_X in the replacement library is back_X in the
// backend.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

struct Bytes128 {
  unsigned char byte[128];
};

struct Pair {
  double a;
  int64_t b;
};

extern "C" {
// Sum of the `count` doubles that follow. Reads al like every variadic function.
double probe_variadic(int count, ...);
int64_t probe_ten_integers(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                           int64_t, int64_t);
double probe_nine_doubles(double, double, double, double, double, double, double, double, double);
uint64_t probe_bytes_by_value(int before, Bytes128 bytes, int after);
long double probe_long_double(long double value);
Pair probe_returns_pair(int64_t a, double b);
Bytes128 probe_returns_memory(unsigned char seed);
void probe_throws(int code);
int probe_errno();  // errno as the callee sees it; does not change it.
int probe_add(int a, int b);
int probe_absent();           // Has no counterpart.
int probe_refused();          // Unsupported by its row.
float probe_refused_float();  // The same, returning a float.
const char* probe_refused_string();
int probe_adapted(int a);   // Goes to an adapter in the replacement library that calls back_add.
int probe_lent(int a);      // Goes to an adapter because the backend lacks it.
int probe_called_back();    // How often the backend's constructor got through to us.
int probe_two_spellings();  // The backend has the second candidate only.
int probe_old_only();       // Its row names SDKs below 5.0 only.
int probe_sibling();        // Its counterpart lies in another library of the backend.
int probe_driver();         // Its counterpart lies in the driver.
void* probe_slot_of_old_only();  // What the slot holds. Belongs to the tests, not to the library.
#if defined(__x86_64__)
// Makes the cold path take this CPU's vector registers to be that wide. Belongs to the tests.
void probe_set_vector_width(uint32_t bytes);
uint64_t probe_register_al();  // al on entry.
uint64_t probe_register_r10();
// Sum of the bytes of all arguments, at full width.
uint64_t probe_ymm(__m256i, __m256i, __m256i, __m256i, __m256i, __m256i, __m256i, __m256i);
uint64_t probe_zmm(__m512i, __m512i, __m512i, __m512i, __m512i, __m512i, __m512i, __m512i);
#endif
}

// Things that a real runtime has behind it and this one lacks: images, variables of device code, a
// driver.
#include "tests/host/musart/support.h"

namespace {

TEST(Symbols, musaGetSymbolAddress_knows_no_variable) {
  int variable = 0;
  void* address = nullptr;
  EXPECT_ERROR(musaErrorInvalidSymbol, musaGetSymbolAddress(&address, &variable));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetSymbolAddress(nullptr, &variable));
}

TEST(Symbols, musaGetSymbolSize_knows_no_variable) {
  int variable = 0;
  size_t size = 0;
  EXPECT_ERROR(musaErrorInvalidSymbol, musaGetSymbolSize(&size, &variable));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetSymbolSize(nullptr, &variable));
}

TEST(Symbols, musaMemcpyToSymbol_knows_no_variable) {
  int variable = 0;
  EXPECT_ERROR(musaErrorInvalidSymbol,
               musaMemcpyToSymbol(&variable, &variable, 4, 0, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpyToSymbol(&variable, &variable, 4, 0, musaMemcpyDeviceToHost));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpyToSymbol(&variable, nullptr, 4, 0, musaMemcpyHostToDevice));
}

TEST(Symbols, musaMemcpyToSymbolAsync_knows_no_variable) {
  int variable = 0;
  auto* const bad = reinterpret_cast<musaStream_t>(&variable);
  EXPECT_ERROR(musaErrorInvalidSymbol, musaMemcpyToSymbolAsync(&variable, &variable, 4, 0,
                                                               musaMemcpyHostToDevice, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemcpyToSymbolAsync(&variable, &variable, 4, 0, musaMemcpyHostToDevice, bad));
}

TEST(Symbols, musaMemcpyFromSymbol_knows_no_variable) {
  int variable = 0;
  EXPECT_ERROR(musaErrorInvalidSymbol,
               musaMemcpyFromSymbol(&variable, &variable, 4, 0, musaMemcpyDeviceToHost));
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpyFromSymbol(&variable, &variable, 4, 0, musaMemcpyHostToDevice));
}

TEST(Symbols, musaMemcpyFromSymbolAsync_knows_no_variable) {
  int variable = 0;
  auto* const bad = reinterpret_cast<musaStream_t>(&variable);
  EXPECT_ERROR(musaErrorInvalidSymbol, musaMemcpyFromSymbolAsync(&variable, &variable, 4, 0,
                                                                 musaMemcpyDeviceToHost, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemcpyFromSymbolAsync(&variable, &variable, 4, 0, musaMemcpyDeviceToHost, bad));
}

}  // namespace

// Things that a real runtime has behind it and this one lacks: images, variables of device code, a
// driver.
#include "tests/host/musart/support.h"

namespace {

auto* const kNoLibrary = reinterpret_cast<musaLibrary_t>(0x40);

TEST(Library, musaLibraryLoadData_finds_no_image) {
  musaLibrary_t library = nullptr;
  const char data[] = "not an image";
  EXPECT_ERROR(musaErrorInvalidKernelImage,
               musaLibraryLoadData(&library, data, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaLibraryLoadData(nullptr, data, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaLibraryLoadData(&library, data, nullptr, nullptr, 1, nullptr, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaLibraryLoadData(&library, data, nullptr, nullptr, 0, nullptr, nullptr, 1));
}

TEST(Library, musaLibraryLoadFromFile_looks_for_the_file) {
  musaLibrary_t library = nullptr;
  const auto load = [&](musaLibrary_t* result, const char* file) {
    return musaLibraryLoadFromFile(result, file, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  EXPECT_ERROR(musaErrorInvalidKernelImage, load(&library, HOST_MUSART_HELPER));
  EXPECT_ERROR(musaErrorFileNotFound, load(&library, "/nowhere/at/all"));
  EXPECT_ERROR(musaErrorInvalidValue, load(nullptr, HOST_MUSART_HELPER));
  EXPECT_ERROR(musaErrorInvalidValue, load(&library, nullptr));
}

TEST(Library, musaLibraryUnload_knows_no_library) {
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLibraryUnload(kNoLibrary));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLibraryUnload(nullptr));
}

TEST(Library, musaLibraryGetKernel_knows_no_library) {
  musaKernel_t kernel = nullptr;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLibraryGetKernel(&kernel, kNoLibrary, "k"));
  EXPECT_ERROR(musaErrorInvalidValue, musaLibraryGetKernel(nullptr, kNoLibrary, "k"));
}

TEST(Library, musaLibraryGetGlobal_knows_no_library) {
  size_t size = 0;
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaLibraryGetGlobal(nullptr, &size, kNoLibrary, "v"));
  EXPECT_ERROR(musaErrorInvalidValue, musaLibraryGetGlobal(nullptr, nullptr, kNoLibrary, "v"));
}

TEST(Library, musaLibraryGetManaged_knows_no_library) {
  size_t size = 0;
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaLibraryGetManaged(nullptr, &size, kNoLibrary, "v"));
  EXPECT_ERROR(musaErrorInvalidValue, musaLibraryGetManaged(nullptr, &size, kNoLibrary, nullptr));
}

TEST(Library, musaLibraryGetUnifiedFunction_knows_no_library) {
  void* function = nullptr;
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaLibraryGetUnifiedFunction(&function, kNoLibrary, "f"));
  EXPECT_ERROR(musaErrorInvalidValue, musaLibraryGetUnifiedFunction(nullptr, kNoLibrary, "f"));
}

TEST(Library, musaLibraryGetKernelCount_knows_no_library) {
  unsigned int count = 0;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLibraryGetKernelCount(&count, kNoLibrary));
  EXPECT_ERROR(musaErrorInvalidValue, musaLibraryGetKernelCount(nullptr, kNoLibrary));
}

TEST(Library, musaLibraryEnumerateKernels_knows_no_library) {
  musaKernel_t kernel = nullptr;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLibraryEnumerateKernels(&kernel, 1, kNoLibrary));
  EXPECT_ERROR(musaErrorInvalidValue, musaLibraryEnumerateKernels(nullptr, 1, kNoLibrary));
}

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

TEST(Driver, musaGetDriverEntryPoint_finds_nothing) {
  void* function = &function;
  auto status = musaDriverEntryPointSuccess;
  EXPECT_OK(musaGetDriverEntryPoint("muInit", &function, musaEnableDefault, &status));
  EXPECT_EQ(nullptr, function);
  EXPECT_EQ(musaDriverEntryPointSymbolNotFound, status);
  EXPECT_ERROR(musaErrorSymbolNotFound,
               musaGetDriverEntryPoint("muInit", &function, musaEnableDefault, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetDriverEntryPoint(nullptr, &function, 0, &status));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetDriverEntryPoint("", &function, 0, &status));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetDriverEntryPoint("muInit", nullptr, 0, &status));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetDriverEntryPoint("muInit", &function, 3, &status));
}

TEST(Driver, musaGetDriverEntryPointByVersion_finds_nothing) {
  void* function = &function;
  auto status = musaDriverEntryPointSuccess;
  EXPECT_OK(musaGetDriverEntryPointByVersion("muInit", &function, 50100, 0, &status));
  EXPECT_EQ(nullptr, function);
  EXPECT_EQ(musaDriverEntryPointSymbolNotFound, status);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGetDriverEntryPointByVersion(nullptr, &function, 50100, 0, &status));
}

}  // namespace

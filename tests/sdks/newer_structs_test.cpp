// Structs that grew with CUDA's releases, on a MUSA whose structs are longer than any of them. MUSA
// must neither read nor write beyond the caller's struct. The sizes are those of NVIDIA's headers.
// Functions are found by CUDA's names with dlsym, as in a program that loads the runtime itself.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

#if CUDA_MAJOR == 11
constexpr size_t kResource = 64, kTexture = 68, kView = 48;
#elif CUDA_MAJOR == 12
constexpr size_t kResource = 64, kTexture = 72, kView = 48;
#else
constexpr size_t kResource = 144, kTexture = 72, kView = 112;
#endif

void* in(const char* file, const char* name) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(nullptr, library) << dlerror();
  void* found = library ? dlsym(library, name) : nullptr;
  EXPECT_NE(nullptr, found) << name;
  return found;
}

template <typename Function>
Function* cuda(const char* name) {
  return reinterpret_cast<Function*>(in(REPLACEMENT, name));
}

unsigned char* musa(const char* name) { return static_cast<unsigned char*>(in(NEWER_MUSA, name)); }

// The caller's struct and the bytes after it.
Bytes filled(size_t size) {
  Bytes bytes(size + 256, 0xee);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i + 1);
  return bytes;
}

void expect_received(const char* what, const Bytes& passed, size_t size, size_t reach) {
  const unsigned char* got = musa(what);
  EXPECT_EQ(0, std::memcmp(got, passed.data(), size)) << what;
  for (size_t i = size; i < reach; ++i) EXPECT_EQ(0, got[i]) << what << ", byte " << i;
}

TEST(NewerStructs, cudaCreateTextureObject_passes_the_callers_bytes_and_zeros) {
  const auto create = cuda<int(unsigned long long*, const void*, const void*, const void*)>(
      "cudaCreateTextureObject");
  const Bytes resource = filled(kResource), texture = filled(kTexture), view = filled(kView);
  unsigned long long made = 0;
  EXPECT_EQ(0, create(&made, resource.data(), texture.data(), view.data()));
  EXPECT_EQ(0x1234u, made);
  expect_received("newer_resource", resource, kResource, 144 + 64);
  expect_received("newer_texture", texture, kTexture, 72 + 64);
  expect_received("newer_view", view, kView, 112 + 64);
  EXPECT_EQ(0, create(&made, resource.data(), texture.data(), nullptr));
  EXPECT_EQ(0xdd, *musa("newer_view"));  // null stays null
}

void expect_filled(const char* name, size_t size) {
  const auto get = cuda<int(void*, unsigned long long)>(name);
  Bytes bytes(size + 256, 0xee);
  EXPECT_EQ(1, get(bytes.data(), 0x9999)) << name;
  for (const unsigned char byte : bytes) ASSERT_EQ(0xee, byte) << name << " wrote though it failed";
  EXPECT_EQ(0, get(bytes.data(), 0x1234)) << name;
  for (size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(i < size ? 0x5a : 0xee, bytes[i]) << name << ", byte " << i << " of " << size;
  }
}

TEST(NewerStructs, cudaGetTextureObjectResourceDesc_and_the_others_write_what_the_caller_has) {
  expect_filled("cudaGetTextureObjectResourceDesc", kResource);
  expect_filled("cudaGetTextureObjectTextureDesc", kTexture);
  expect_filled("cudaGetTextureObjectResourceViewDesc", kView);
}

}  // namespace

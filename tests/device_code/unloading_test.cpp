// Unloading a library removes its device code.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/device_code/registering.h"

namespace {

TEST(Unloading, TakesTheCodeBack) {
  for (int round = 0; round < 3; ++round) {
    void* const library = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(nullptr, library) << dlerror();
    const void* const kernel = dlsym(library, "plugin_kernel");
    const void* const variable = dlsym(library, "plugin_variable");
    ASSERT_NE(nullptr, kernel);
    EXPECT_EQ(kNoImage, launch(kernel));
    EXPECT_EQ(24u, size_of(variable));
    ASSERT_EQ(0, dlclose(library));
    ASSERT_EQ(nullptr, dlopen(PLUGIN, RTLD_NOW | RTLD_NOLOAD)) << "it was not unloaded";
    EXPECT_EQ(cudaErrorInvalidDeviceFunction, launch(kernel));
    EXPECT_EQ(0u, size_of(variable));
  }
}

}  // namespace

// The installed layout and the library's public interface.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "tests/host/musart/exported_names.h"
#include "tests/host/musart/support.h"

extern "C" musaError_t count_devices_in_c(int* count);

namespace {

const std::filesystem::path kTree = std::filesystem::path(HOST_PREFIX) / "current";

TEST(Tree, CurrentIsFiveTwo) {
  EXPECT_EQ("5.2", std::filesystem::read_symlink(kTree).string());
  std::ifstream version(kTree / "version.json");
  const std::string text(std::istreambuf_iterator<char>(version), {});
  EXPECT_NE(std::string::npos, text.find("\"5.2.0\""));
}

TEST(Tree, LibraryAndItsLinks) {
  EXPECT_EQ("libmusart.so.5", std::filesystem::read_symlink(kTree / "lib/libmusart.so").string());
  EXPECT_EQ("libmusart.so.5.2.0",
            std::filesystem::read_symlink(kTree / "lib/libmusart.so.5").string());
  EXPECT_TRUE(std::filesystem::is_regular_file(kTree / "lib/libmusart.so.5.2.0"));
}

TEST(Tree, Headers) {
  for (const char* name : {"musa_runtime_api.h", "musa_runtime.h", "driver_types.h",
                           "library_types.h", "vector_types.h", "internal/sdk.h",
                           "musa_types/error_types.h", "musa_types/device_types.h"}) {
    EXPECT_TRUE(std::filesystem::is_regular_file(kTree / "include" / name)) << name;
  }
  int count = 0;
  EXPECT_OK(count_devices_in_c(&count));
}

TEST(Tree, ExportsTheApiAndNothingElse) {
  const auto names = exported_names(kTree / "lib/libmusart.so.5.2.0");
  EXPECT_GT(names.size(), 100u);
  EXPECT_EQ(1u, names.count("musaMalloc"));
  for (const std::string& name : names) {
    EXPECT_TRUE(name.starts_with("musa") || name.starts_with("__musa")) << name;
  }
}

TEST(Tree, ALibraryThatIsNotBuiltIsNamed) {
  try {
    exported_names(kTree / "lib/libmusart.so.0");
    ADD_FAILURE() << "libmusart.so.0 has exports";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ((kTree / "lib/libmusart.so.0").string() +
                  " cannot be read; cmake --build BUILD --target host_trees builds it",
              error.what());
  }
}

}  // namespace

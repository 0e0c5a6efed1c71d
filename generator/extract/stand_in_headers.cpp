#include "generator/extract/stand_in_headers.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "generator/extract/clang_headers.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

struct StandIn {
  const char* path;
  const char* text;
};

// The types as defined by the Khronos and VDPAU specifications on Linux.
constexpr StandIn kStandIns[] = {
    {"GL/gl.h",
     "#pragma once\n"
     "typedef unsigned int GLenum;\n"
     "typedef unsigned int GLuint;\n"},
    {"EGL/egl.h",
     "#pragma once\n"
     "#include <stdint.h>\n"
     "typedef int32_t EGLint;\n"},
    {"EGL/eglext.h",
     "#pragma once\n"
     "typedef void *EGLImageKHR;\n"
     "typedef void *EGLStreamKHR;\n"
     "typedef void *EGLSyncKHR;\n"},
    {"vdpau/vdpau.h",
     "#pragma once\n"
     "#include <stdint.h>\n"
     "typedef int VdpStatus;\n"
     "typedef uint32_t VdpFuncId;\n"
     "typedef uint32_t VdpDevice;\n"
     "typedef uint32_t VdpVideoSurface;\n"
     "typedef uint32_t VdpOutputSurface;\n"
     "typedef VdpStatus VdpGetProcAddress(VdpDevice device, VdpFuncId function_id,\n"
     "                                    void **function_pointer);\n"},
};

}  // namespace

StandInHeaders::StandInHeaders() {
  std::string pattern = (fs::temp_directory_path() / "torchada-headers-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw ExtractError(pattern + ": cannot be created");
  folder_ = pattern;
  for (const StandIn& header : kStandIns) {
    const fs::path file = fs::path(folder_) / header.path;
    fs::create_directories(file.parent_path());
    std::ofstream out(file);
    out << header.text;
    out.close();
    if (!out) throw ExtractError(file.string() + ": cannot be written");
  }
}

StandInHeaders::~StandInHeaders() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace torchada

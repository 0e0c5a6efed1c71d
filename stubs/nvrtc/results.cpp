// What a compilation gives: image, log and names. What NVRTC calls a cubin or PTX is MUSA's image,
// which cuModuleLoadData and the other functions that load those take back. PTX is a text, so there
// the image is followed by a zero.
#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/nvrtc/program.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/backend.h"

namespace torchada::nvrtc {
namespace {

// One source has the image as FatBin, another as MUSA; a library may lack either.
bool has_fat_binary() {
  const Target target = {0, 0, kNoSdkEnd, 0, true};
  return find_in_backend(BackendLibrary::kMtrtc, &target, 1, "mtrtcGetFatBinSize").result ==
         Lookup::kFound;
}

int image_size(const char* function, const Program& program, size_t* bytes) {
  *bytes = 0;
  if (has_fat_binary()) {
    return outcome({function, "mtrtcGetFatBinSize"}, mtrtcGetFatBinSize(program.musa, bytes));
  }
  return outcome({function, "mtrtcGetMUSASize"}, mtrtcGetMUSASize(program.musa, bytes));
}

int image(const char* function, const Program& program, char* out) {
  if (has_fat_binary()) {
    return outcome({function, "mtrtcGetFatBin"}, mtrtcGetFatBin(program.musa, out));
  }
  return outcome({function, "mtrtcGetMUSA"}, mtrtcGetMUSA(program.musa, out));
}

// The bytes of MUSA's log with its zero; 1 if the compiler was not called.
int log_size(const char* function, const Program& program, size_t* bytes) {
  *bytes = 1;
  if (!program.musa) return 0;
  const int status =
      outcome({function, "mtrtcGetProgramLogSize"}, mtrtcGetProgramLogSize(program.musa, bytes));
  if (*bytes == 0) *bytes = 1;
  return status;
}

// What was said before the compiler was called.
const char* own_log(const Program& program) { return program.log.size() > 0 ? program.log[0] : ""; }

}  // namespace
}  // namespace torchada::nvrtc

using torchada::nvrtc::Program;
using torchada::nvrtc::program_of;

extern "C" {

int torchada_adapter_nvrtcGetCUBINSize(void* handle, size_t* bytes) {
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, bytes)) return status;
  *bytes = 0;
  if (!program->has_image || program->is_virtual) return 0;
  return torchada::nvrtc::image_size("nvrtcGetCUBINSize", *program, bytes);
}

int torchada_adapter_nvrtcGetCUBIN(void* handle, char* cubin) {
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, cubin)) return status;
  if (!program->has_image || program->is_virtual) return 0;
  return torchada::nvrtc::image("nvrtcGetCUBIN", *program, cubin);
}

int torchada_adapter_nvrtcGetPTXSize(void* handle, size_t* bytes) {
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, bytes)) return status;
  *bytes = 1;
  if (!program->has_image) return 0;
  const int status = torchada::nvrtc::image_size("nvrtcGetPTXSize", *program, bytes);
  ++*bytes;
  return status;
}

int torchada_adapter_nvrtcGetPTX(void* handle, char* ptx) {
  constexpr const char* kName = "nvrtcGetPTX";
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, ptx)) return status;
  size_t bytes = 0;
  if (program->has_image) {
    int status = torchada::nvrtc::image_size(kName, *program, &bytes);
    if (status == 0) status = torchada::nvrtc::image(kName, *program, ptx);
    if (status != 0) return status;
  }
  ptx[bytes] = '\0';
  return 0;
}

int torchada_adapter_nvrtcGetProgramLogSize(void* handle, size_t* bytes) {
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, bytes)) return status;
  const int status = torchada::nvrtc::log_size("nvrtcGetProgramLogSize", *program, bytes);
  *bytes += strlen(torchada::nvrtc::own_log(*program));
  return status;
}

int torchada_adapter_nvrtcGetProgramLog(void* handle, char* log) {
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, log)) return status;
  const char* const own = torchada::nvrtc::own_log(*program);
  const size_t length = strlen(own);
  memcpy(log, own, length + 1);
  if (!program->musa) return 0;
  return torchada::outcome({"nvrtcGetProgramLog", "mtrtcGetProgramLog"},
                           mtrtcGetProgramLog(program->musa, log + length));
}

int torchada_adapter_nvrtcGetLoweredName(void* handle, const char* expression, const char** name) {
  const Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, expression)) return status;
  if (!name) return torchada::fail(torchada::kInvalid);
  if (!program->has_image) {
    return torchada::fail(
        static_cast<int>(torchada::cuda::NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION));
  }
  return torchada::outcome({"nvrtcGetLoweredName", "mtrtcGetLoweredName"},
                           mtrtcGetLoweredName(program->musa, expression, name));
}

}  // extern "C"

#include "stubs/nvrtc/program.h"

#include <new>

#include "facts.h"
#include "stubs/adapting/known_handles.h"
#include "stubs/nvrtc/statuses.h"
#include "stubs/reporting/fallback.h"

namespace torchada::nvrtc {
namespace {

// Some programs keep one for each kernel.
KnownHandles<1U << 16> known;

bool keep(Program* program, const char* source, const char* name, int count,
          const char* const* headers, const char* const* include_names) {
  if (!program->source.add(source) || !program->source.add(name)) return false;
  for (int i = 0; i < count; ++i) {
    if (!program->headers.add(headers[i]) || !program->include_names.add(include_names[i])) {
      return false;
    }
  }
  return true;
}

bool has_null(int count, const char* const* texts) {
  for (int i = 0; i < count; ++i) {
    if (!texts[i]) return true;
  }
  return false;
}

}  // namespace

Program* program_of(void* handle) {
  return known.knows(handle) ? static_cast<Program*>(handle) : nullptr;
}

Program* Program::make() {
  void* const memory =
      mmap(nullptr, sizeof(Program), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (known.remember(memory)) return new (memory) Program;
  munmap(memory, sizeof(Program));
  return nullptr;
}

void Program::release() {
  known.forget(this);
  source.release();
  headers.release();
  include_names.release();
  expressions.release();
  log.release();
  munmap(this, sizeof(Program));
}

int check(const Program* program, const void* result) {
  if (!program) return fail(kInvalidProgram);
  return result ? 0 : fail(kInvalid);
}

}  // namespace torchada::nvrtc

using torchada::fail;
using torchada::nvrtc::Program;
using torchada::nvrtc::program_of;

extern "C" {

int torchada_adapter_nvrtcCreateProgram(void** handle, const char* source, const char* name,
                                        int count, const char* const* headers,
                                        const char* const* include_names) {
  using namespace torchada::nvrtc;
  if (!handle) return fail(kInvalidProgram);
  if (!source || count < 0 || (count > 0 && (!headers || !include_names))) {
    return fail(torchada::kInvalid);
  }
  if (has_null(count, headers) || has_null(count, include_names)) return fail(torchada::kInvalid);
  Program* const program = Program::make();
  if (!program) return fail(kOutOfMemory);
  // The name that NVIDIA's library gives to a source without one.
  const char* const known = name && *name ? name : "default_program";
  if (!keep(program, source, known, count, headers, include_names)) {
    program->release();
    return fail(kOutOfMemory);
  }
  *handle = program;
  return 0;
}

int torchada_adapter_nvrtcDestroyProgram(void** handle) {
  Program* const program = handle ? program_of(*handle) : nullptr;
  if (!program) return fail(torchada::nvrtc::kInvalidProgram);
  if (program->musa) mtrtcDestroyProgram(&program->musa);
  program->release();
  *handle = nullptr;
  return 0;
}

int torchada_adapter_nvrtcAddNameExpression(void* handle, const char* expression) {
  Program* const program = program_of(handle);
  if (const int status = torchada::nvrtc::check(program, expression)) return status;
  if (program->was_compiled) {
    return fail(
        static_cast<int>(torchada::cuda::NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION));
  }
  if (program->expressions.add(expression)) return 0;
  return fail(torchada::nvrtc::kOutOfMemory);
}

int torchada_adapter_nvrtcSetFlowCallback(void* handle, int (*callback)(void*, void*),
                                          void* payload) {
  Program* const program = program_of(handle);
  const auto address = reinterpret_cast<const void*>(callback);
  if (const int status = torchada::nvrtc::check(program, address)) return status;
  program->callback = callback;
  program->payload = payload;
  return 0;
}

}  // extern "C"

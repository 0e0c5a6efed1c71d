// The functions of libmtrtc. A program may be used by several threads; each function takes its
// turn.
#include <algorithm>
#include <cstring>
#include <new>

#include "src/host/mtrtc/compile.h"
#include "src/host/mtrtc/options.h"
#include "src/host/mtrtc/program.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

using namespace host_mtrtc;

namespace {

// Never destroyed: threads may call until the process ends.
using Programs = host::HandleTable<host::HandleKind::kProgram, mtrtcProgram, Program>;

Programs& programs() { return host::never_destroyed<Programs>(); }

constexpr const char* kDefaultName = "default_program";

// Calls `work` with the program, alone. Exceptions do not reach the caller, which may be C.
template <typename Work>
mtrtcResult with(mtrtcProgram handle, Work work) {
  try {
    const std::shared_ptr<Program> program = programs().find(handle);
    if (program == nullptr) return MTRTC_ERROR_INVALID_PROGRAM;
    const std::lock_guard lock(program->mutex);
    return work(*program);
  } catch (const std::bad_alloc&) {
    return MTRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return MTRTC_ERROR_INTERNAL_ERROR;
  }
}

mtrtcResult give_size(mtrtcProgram handle, std::size_t* size) {
  if (size == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  return with(handle, [&](const Program& program) {
    if (!program.output.success) return MTRTC_ERROR_INVALID_PROGRAM;
    *size = program.output.image.size();
    return MTRTC_SUCCESS;
  });
}

mtrtcResult give_image(mtrtcProgram handle, char* image) {
  if (image == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  return with(handle, [&](const Program& program) {
    if (!program.output.success) return MTRTC_ERROR_INVALID_PROGRAM;
    program.output.image.copy(image, program.output.image.size());
    return MTRTC_SUCCESS;
  });
}

}  // namespace

const char* mtrtcGetErrorString(mtrtcResult result) {
  switch (result) {
    case MTRTC_SUCCESS:
      return "MTRTC_SUCCESS";
    case MTRTC_ERROR_OUT_OF_MEMORY:
      return "MTRTC_ERROR_OUT_OF_MEMORY";
    case MTRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return "MTRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case MTRTC_ERROR_INVALID_INPUT:
      return "MTRTC_ERROR_INVALID_INPUT";
    case MTRTC_ERROR_INVALID_PROGRAM:
      return "MTRTC_ERROR_INVALID_PROGRAM";
    case MTRTC_ERROR_INVALID_OPTION:
      return "MTRTC_ERROR_INVALID_OPTION";
    case MTRTC_ERROR_COMPILATION:
      return "MTRTC_ERROR_COMPILATION";
    case MTRTC_ERROR_BUILTIN_OPERATION_FAILURE:
      return "MTRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
      return "MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
      return "MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
      return "MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case MTRTC_ERROR_INTERNAL_ERROR:
      return "MTRTC_ERROR_INTERNAL_ERROR";
  }
  return "MTRTC_ERROR unknown";
}

mtrtcResult mtrtcCreateProgram(mtrtcProgram* prog, const char* src, const char* name,
                               int numHeaders, const char* const* headers,
                               const char* const* includeNames) {
  if (prog == nullptr || src == nullptr || numHeaders < 0) return MTRTC_ERROR_INVALID_INPUT;
  if (numHeaders > 0 && (headers == nullptr || includeNames == nullptr)) {
    return MTRTC_ERROR_INVALID_INPUT;
  }
  try {
    const auto program = std::make_shared<Program>();
    program->input.source = src;
    program->input.name = name != nullptr && *name != '\0' ? name : kDefaultName;
    for (int i = 0; i < numHeaders; ++i) {
      if (headers[i] == nullptr || includeNames[i] == nullptr) return MTRTC_ERROR_INVALID_INPUT;
      program->input.headers.emplace_back(includeNames[i], headers[i]);
    }
    *prog = programs().insert(program);
    return MTRTC_SUCCESS;
  } catch (const std::bad_alloc&) {
    return MTRTC_ERROR_OUT_OF_MEMORY;
  }
}

mtrtcResult mtrtcDestroyProgram(mtrtcProgram* prog) {
  if (prog == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  if (programs().remove(*prog) == nullptr) return MTRTC_ERROR_INVALID_PROGRAM;
  *prog = nullptr;
  return MTRTC_SUCCESS;
}

mtrtcResult mtrtcAddNameExpression(mtrtcProgram prog, const char* name_expression) {
  if (name_expression == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    if (program.compiled) return MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    std::vector<std::string>& all = program.input.expressions;
    if (std::find(all.begin(), all.end(), name_expression) == all.end()) {
      all.emplace_back(name_expression);
    }
    return MTRTC_SUCCESS;
  });
}

mtrtcResult mtrtcCompileProgram(mtrtcProgram prog, int numOptions, const char* const* options) {
  if (numOptions < 0 || (numOptions > 0 && options == nullptr)) return MTRTC_ERROR_INVALID_INPUT;
  if (std::find(options, options + numOptions, nullptr) != options + numOptions) {
    return MTRTC_ERROR_INVALID_INPUT;
  }
  return with(prog, [&](Program& program) {
    program.compiled = true;
    program.output = {};
    program.input.flags.clear();
    const std::vector<std::string> words(options, options + numOptions);
    if (!read_options(words, &program.input.flags, &program.output.log)) {
      return MTRTC_ERROR_INVALID_OPTION;
    }
    program.output = compile(program.input);
    if (program.output.success) return MTRTC_SUCCESS;
    // As NVRTC without its libnvrtc-builtins.
    return program.output.compiler_missing ? MTRTC_ERROR_BUILTIN_OPERATION_FAILURE
                                           : MTRTC_ERROR_COMPILATION;
  });
}

mtrtcResult mtrtcGetLoweredName(mtrtcProgram prog, const char* name_expression,
                                const char** lowered_name) {
  if (name_expression == nullptr || lowered_name == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](const Program& program) {
    if (!program.output.success) return MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const std::vector<std::string>& all = program.input.expressions;
    const auto found = std::find(all.begin(), all.end(), name_expression);
    if (found == all.end()) return MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = program.output.names.at(static_cast<std::size_t>(found - all.begin())).c_str();
    return MTRTC_SUCCESS;
  });
}

mtrtcResult mtrtcGetFatBinSize(mtrtcProgram prog, size_t* fatbinSizeRet) {
  return give_size(prog, fatbinSizeRet);
}
mtrtcResult mtrtcGetFatBin(mtrtcProgram prog, char* fatbin) { return give_image(prog, fatbin); }
mtrtcResult mtrtcGetMUSASize(mtrtcProgram prog, size_t* musaSizeRet) {
  return give_size(prog, musaSizeRet);
}
mtrtcResult mtrtcGetMUSA(mtrtcProgram prog, char* musa) { return give_image(prog, musa); }

mtrtcResult mtrtcGetProgramLogSize(mtrtcProgram prog, size_t* logSizeRet) {
  if (logSizeRet == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](const Program& program) {
    *logSizeRet = program.output.log.size() + 1;
    return MTRTC_SUCCESS;
  });
}

mtrtcResult mtrtcGetProgramLog(mtrtcProgram prog, char* log) {
  if (log == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](const Program& program) {
    std::memcpy(log, program.output.log.c_str(), program.output.log.size() + 1);
    return MTRTC_SUCCESS;
  });
}

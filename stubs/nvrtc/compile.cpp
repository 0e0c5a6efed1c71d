// Gives a program to MUSA's compiler.
#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/nvrtc/architectures.h"
#include "stubs/nvrtc/options.h"
#include "stubs/nvrtc/program.h"
#include "stubs/nvrtc/statuses.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/report.h"
#include "stubs/resolving/coverage.h"

namespace torchada::nvrtc {
namespace {

constexpr const char* kFunction = "nvrtcCompileProgram";

// NVRTC 11 has no such status, and no function that sets a callback.
constexpr int kCancelled = 16;

// The first device of that architecture, or else any: a program that asks for another architecture
// than its devices have still wants to run on one of them.
int choose_architecture(int asked) {
  Architecture found[kMaxArchitectures];
  const int count = architectures(found);
  for (int i = 0; i < count; ++i) {
    if (found[i].told == asked) return found[i].musa;
  }
  if (count == 0) return asked;
  if (asked != 0) {
    static uint8_t said;
    if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) == 0) {
      Line line;
      line << kFunction << " compiles for mp_" << found[0].musa
           << ", because no device has the architecture " << asked << " that was asked for";
      log(LogLevel::kInfo, line);
    }
  }
  return found[0].musa;
}

bool add_architecture(int asked, Texts* options) {
  const int chosen = choose_architecture(asked);
  if (chosen == 0) return true;  // No device and no wish: the compiler's own default.
  Text<64> option;
  option << "--offload-arch=mp_" << chosen;
  return options->add(option.c_str());
}

int create(Program* program) {
  MappedArray<const char*> headers;
  MappedArray<const char*> names;
  int status = kOutOfMemory;
  if (program->headers.list(&headers) && program->include_names.list(&names)) {
    const int count = static_cast<int>(headers.size());
    status = outcome({kFunction, "mtrtcCreateProgram"},
                     mtrtcCreateProgram(&program->musa, program->source[0], program->source[1],
                                        count, headers.begin(), names.begin()));
  }
  headers.release();
  names.release();
  for (size_t i = 0; status == 0 && i < program->expressions.size(); ++i) {
    status = outcome({kFunction, "mtrtcAddNameExpression"},
                     mtrtcAddNameExpression(program->musa, program->expressions[i]));
  }
  return status;
}

int compile(Program* program, const Options& options) {
  MappedArray<const char*> words;
  if (!options.musa.list(&words)) return fail(kOutOfMemory);
  const int status =
      outcome({kFunction, "mtrtcCompileProgram"},
              mtrtcCompileProgram(program->musa, static_cast<int>(words.size()), words.begin()));
  words.release();
  return status;
}

bool is_cancelled(const Program& program) {
  return program.callback && program.callback(program.payload, nullptr) == 1;
}

// NVRTC fails in this way too if its second half, libnvrtc-builtins, is missing.
int without_compiler(Program* program) {
  report_absence(kFunction);
  Line line;
  line << "nvrtc: error: torchada found no compiler: " << last_refusal() << "\n";
  return fail(program->log.add(line.c_str()) ? kNoBackend : kOutOfMemory);
}

void forget_result(Program* program) {
  if (program->musa) mtrtcDestroyProgram(&program->musa);
  program->musa = nullptr;
  program->has_image = false;
  program->log.release();
}

int compile_with(Program* program, Options* options) {
  if (!add_architecture(options->architecture, &options->musa)) return fail(kOutOfMemory);
  int status = create(program);
  if (status == 0) status = compile(program, *options);
  if (status != 0) return status;
  if (is_cancelled(*program)) {
    forget_result(program);
    return fail(kCancelled);
  }
  program->has_image = true;
  program->is_virtual = options->is_virtual;
  return 0;
}

}  // namespace
}  // namespace torchada::nvrtc

extern "C" int torchada_adapter_nvrtcCompileProgram(void* handle, int count,
                                                    const char* const* options) {
  using namespace torchada::nvrtc;
  Program* const program = program_of(handle);
  if (!program) return torchada::fail(kInvalidProgram);
  if (count < 0) return torchada::fail(torchada::kInvalid);
  if (count > 0 && !options) return torchada::fail(kInvalidOption);
  forget_result(program);
  Options translated;
  int status = translate(count, options, &translated, &program->log);
  if (status == 0) {
    program->was_compiled = true;
    if (is_cancelled(*program)) {
      status = torchada::fail(kCancelled);
    } else if (!torchada::has_backend()) {
      status = without_compiler(program);
    } else {
      status = compile_with(program, &translated);
    }
  }
  translated.release();
  return status;
}

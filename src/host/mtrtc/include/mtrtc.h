/* MTRTC: device code compiled at run time (MUSA SDK 5.2), from public evidence only.
 *
 * Transcribed by hand from:
 *   docs.mthreads.com, MUSA SDK 5.2.0, MTRTC (seen through a public summary of 2026-07-10)
 *                        (names of CreateProgram, CompileProgram, AddNameExpression,
 *                        GetLoweredName, GetFatBin, GetProgramLog; libmtrtc.so; that a program can
 *                        be compiled again, which ends what the last compilation gave)
 *   PaddlePaddle/Paddle: paddle/phi/backends/device_code.cc at 9c96836
 *                        (the header's name; calls of Version, GetErrorString, DestroyProgram,
 *                        GetProgramLogSize, GetMUSA and GetMUSASize, in a port that may not
 *                        compile)
 *
 * Assumed, because no public source states it: every argument list and every number, which are
 * those of NVRTC 10; the tag behind mtrtcProgram; mtrtcGetFatBinSize, by analogy; that GetMUSA and
 * GetFatBin give the same image.
 */
#pragma once

#include <stddef.h>

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _mtrtcProgram* mtrtcProgram;

typedef enum {
  MTRTC_SUCCESS = 0,
  MTRTC_ERROR_OUT_OF_MEMORY = 1,
  MTRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  MTRTC_ERROR_INVALID_INPUT = 3,
  MTRTC_ERROR_INVALID_PROGRAM = 4,
  MTRTC_ERROR_INVALID_OPTION = 5,
  MTRTC_ERROR_COMPILATION = 6,
  MTRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  MTRTC_ERROR_INTERNAL_ERROR = 11
} mtrtcResult;

/* The text is the library's. */
const char* mtrtcGetErrorString(mtrtcResult result);
mtrtcResult mtrtcVersion(int* major, int* minor);

/* Copies the source and the headers, which the source can include by their names. `name` is what
 * messages call the source; null or empty: default_program. The caller owns the program. */
mtrtcResult mtrtcCreateProgram(mtrtcProgram* prog, const char* src, const char* name,
                               int numHeaders, const char* const* headers,
                               const char* const* includeNames);
/* Sets *prog to null. */
mtrtcResult mtrtcDestroyProgram(mtrtcProgram* prog);

/* Before the first compilation. The expression names a kernel, of which a template is then compiled
 * for these arguments, or a variable: "ns::kernel<float>", "&ns::variable". */
mtrtcResult mtrtcAddNameExpression(mtrtcProgram prog, const char* name_expression);
mtrtcResult mtrtcCompileProgram(mtrtcProgram prog, int numOptions, const char* const* options);
/* The name in the image. It is the program's, until that is compiled again or destroyed. */
mtrtcResult mtrtcGetLoweredName(mtrtcProgram prog, const char* name_expression,
                                const char** lowered_name);

/* What muModuleLoadData loads. Sizes count bytes; that of the log includes the zero at its end. */
mtrtcResult mtrtcGetFatBinSize(mtrtcProgram prog, size_t* fatbinSizeRet);
mtrtcResult mtrtcGetFatBin(mtrtcProgram prog, char* fatbin);
mtrtcResult mtrtcGetMUSASize(mtrtcProgram prog, size_t* musaSizeRet);
mtrtcResult mtrtcGetMUSA(mtrtcProgram prog, char* musa);
mtrtcResult mtrtcGetProgramLogSize(mtrtcProgram prog, size_t* logSizeRet);
mtrtcResult mtrtcGetProgramLog(mtrtcProgram prog, char* log);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

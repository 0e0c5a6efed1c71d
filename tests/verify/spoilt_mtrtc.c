#include <mtrtc.h>

#include "tests/verify/spoilt.h"

const char* mtrtcGetErrorString(mtrtcResult result) {
  if (spoilt("error_text")) return REAL(mtrtcGetErrorString)(MTRTC_SUCCESS);
  return REAL(mtrtcGetErrorString)(result);
}

mtrtcResult mtrtcVersion(int* major, int* minor) {
  if (spoilt("version_in_one_number")) {
    *major = 5020000;
    *minor = 0;
    return MTRTC_SUCCESS;
  }
  return REAL(mtrtcVersion)(major, minor);
}

mtrtcResult mtrtcCreateProgram(mtrtcProgram* prog, const char* src, const char* name,
                               int numHeaders, const char* const* headers,
                               const char* const* includeNames) {
  if (spoilt("header_arguments"))
    return REAL(mtrtcCreateProgram)(prog, src, name, numHeaders, includeNames, headers);
  return REAL(mtrtcCreateProgram)(prog, src, name, numHeaders, headers, includeNames);
}

mtrtcResult mtrtcDestroyProgram(mtrtcProgram* prog) {
  mtrtcProgram copy = *prog;
  if (spoilt("kept_handle")) return REAL(mtrtcDestroyProgram)(&copy);
  return REAL(mtrtcDestroyProgram)(prog);
}

mtrtcResult mtrtcAddNameExpression(mtrtcProgram prog, const char* name_expression) {
  const mtrtcResult result = REAL(mtrtcAddNameExpression)(prog, name_expression);
  return spoilt("late_expression") && result != MTRTC_SUCCESS ? MTRTC_ERROR_INTERNAL_ERROR : result;
}

mtrtcResult mtrtcGetLoweredName(mtrtcProgram prog, const char* name_expression,
                                const char** lowered_name) {
  const mtrtcResult result = REAL(mtrtcGetLoweredName)(prog, name_expression, lowered_name);
  if (spoilt("plain_name") && result == MTRTC_SUCCESS) *lowered_name = "fill";
  return result;
}

mtrtcResult mtrtcCompileProgram(mtrtcProgram prog, int numOptions, const char* const* options) {
  if (spoilt("options_dropped")) return REAL(mtrtcCompileProgram)(prog, 0, options);
  const mtrtcResult result = REAL(mtrtcCompileProgram)(prog, numOptions, options);
  if (spoilt("compilation_status") && result == MTRTC_ERROR_COMPILATION)
    return MTRTC_ERROR_INTERNAL_ERROR;
  return result;
}

mtrtcResult mtrtcGetMUSA(mtrtcProgram prog, char* musa) {
  size_t size = 0;
  if (spoilt("image_with_zero") && REAL(mtrtcGetMUSASize)(prog, &size) == MTRTC_SUCCESS)
    musa[size] = 0;
  return REAL(mtrtcGetMUSA)(prog, musa);
}

mtrtcResult mtrtcGetProgramLogSize(mtrtcProgram prog, size_t* logSizeRet) {
  const mtrtcResult result = REAL(mtrtcGetProgramLogSize)(prog, logSizeRet);
  if (spoilt("log_without_zero")) ++*logSizeRet;
  return result;
}

// A CPU has no unit for video.
#include "src/host/mtml/call.h"

using mtml::not_supported;

MtmlReturn mtmlVpuGetUtilization(const MtmlVpu* vpu, MtmlCodecUtil* utilization) {
  return not_supported(vpu, utilization);
}

MtmlReturn mtmlVpuGetClock(const MtmlVpu* vpu, unsigned int* megahertz) {
  return not_supported(vpu, megahertz);
}

MtmlReturn mtmlVpuGetMaxClock(const MtmlVpu* vpu, unsigned int* megahertz) {
  return not_supported(vpu, megahertz);
}

MtmlReturn mtmlVpuGetCodecCapacity(const MtmlVpu* vpu, unsigned int* encode, unsigned int* decode) {
  return not_supported(vpu, encode, decode);
}

MtmlReturn mtmlVpuGetEncoderSessionStates(const MtmlVpu* vpu, MtmlCodecSessionState* states,
                                          unsigned int /*count*/) {
  return not_supported(vpu, states);
}

MtmlReturn mtmlVpuGetEncoderSessionMetrics(const MtmlVpu* vpu, unsigned int /*session*/,
                                           MtmlCodecSessionMetrics* metrics) {
  return not_supported(vpu, metrics);
}

MtmlReturn mtmlVpuGetDecoderSessionStates(const MtmlVpu* vpu, MtmlCodecSessionState* states,
                                          unsigned int /*count*/) {
  return not_supported(vpu, states);
}

MtmlReturn mtmlVpuGetDecoderSessionMetrics(const MtmlVpu* vpu, unsigned int /*session*/,
                                           MtmlCodecSessionMetrics* metrics) {
  return not_supported(vpu, metrics);
}

#include "probes.h"
namespace torchada::verify {
std::vector<Probe> blas_probes() { return {}; }
}  // namespace torchada::verify

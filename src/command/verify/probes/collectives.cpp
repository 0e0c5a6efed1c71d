#include "probes.h"
namespace torchada::verify {
std::vector<Probe> collective_probes() { return {}; }
}  // namespace torchada::verify

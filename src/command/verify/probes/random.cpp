#include "probes.h"
namespace torchada::verify {
std::vector<Probe> random_probes() { return {}; }
}  // namespace torchada::verify

#include "probes.h"
namespace torchada::verify {
std::vector<Probe> graph_probes() { return {}; }
}  // namespace torchada::verify

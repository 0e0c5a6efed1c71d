// Statuses of the probe library.
#pragma once

constexpr int kProbeUnsupported = 801;
constexpr int kProbeNoBackend = 35;

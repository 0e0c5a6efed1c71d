// Statuses of the probe library.
#pragma once

constexpr int kProbeUnsupported = 801;
constexpr int kProbeNoBackend = 35;
constexpr int kProbeUnloading = 4;
constexpr int kProbeForked = 3;

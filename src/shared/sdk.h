// Versions of the MUSA SDK: major * 10000 + minor * 100 + patch.
#pragma once

namespace torchada {

// The exclusive upper end of a range of versions that has none.
inline constexpr int kNoSdkEnd = 1000000;

}  // namespace torchada

#pragma once

namespace torchada {

// How much is said. TORCHADA_LOG chooses; each level includes those before it.
enum class LogLevel { kOff, kWarn, kInfo, kDebug };

}  // namespace torchada

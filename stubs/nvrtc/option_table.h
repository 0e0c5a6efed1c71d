// Every option of NVRTC, from its manual for CUDA 13 and the names that NVIDIA's library knows.
// What those that are passed become is what clang, from which MUSA's compiler is made, calls them;
// clang has no name for -default-device. That libmtrtc takes them is assumed.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace torchada::nvrtc {

enum class Takes : uint8_t { kNothing, kText, kBool, kInteger };

enum class Becomes : uint8_t {
  kArchitecture,
  kStandard,  // kWords for a standard of C++.
  kWords,     // `text`, with the value behind it.
  kEither,    // `text` if the value is true, `otherwise`, if not null, if it is false.
  kIgnored,   // `text` says why nothing is lost.
  kRefused,   // `text` says why.
};

struct Option {
  const char* name;
  const char* short_name;  // Null if there is none.
  Takes takes;
  Becomes becomes;
  const char* text;
  const char* otherwise;
};

inline constexpr const char* kSpeed = "it says how to make NVIDIA's code fast or small";
inline constexpr const char* kPrecise = "MUSA's compiler keeps to the exact operation";
inline constexpr const char* kWhole = "the image is always linked as a whole";
inline constexpr const char* kMessages = "it changes NVIDIA's messages";
inline constexpr const char* kHeaderSpeed =
    "without a precompiled header the compiler reads all headers";
inline constexpr const char* kCxx = "it concerns NVIDIA's own compiler of C++";
inline constexpr const char* kNoHeader = "MUSA's compiler is not known to keep precompiled headers";
inline constexpr const char* kNoLto =
    "it asks for code for NVIDIA's linker, of which no counterpart is known";
inline constexpr const char* kNoTile = "Tile IR is NVIDIA's intermediate language";

inline constexpr Option kOptions[] = {
    {"--gpu-architecture", "-arch", Takes::kText, Becomes::kArchitecture, nullptr, nullptr},
    // For the preprocessor.
    {"--include-path", "-I", Takes::kText, Becomes::kWords, "-I", nullptr},
    {"--define-macro", "-D", Takes::kText, Becomes::kWords, "-D", nullptr},
    {"--undefine-macro", "-U", Takes::kText, Becomes::kWords, "-U", nullptr},
    {"--pre-include", "-include", Takes::kText, Becomes::kWords, "-include ", nullptr},
    {"--no-source-include", "-no-source-include", Takes::kNothing, Becomes::kIgnored, kCxx,
     nullptr},
    // The language.
    {"--std", "-std", Takes::kText, Becomes::kStandard, "-std=", nullptr},
    {"--device-as-default-execution-space", "-default-device", Takes::kNothing, Becomes::kWords,
     "-default-device", nullptr},
    {"--device-int128", "-device-int128", Takes::kNothing, Becomes::kIgnored, kCxx, nullptr},
    {"--no-device-int128", "-no-device-int128", Takes::kNothing, Becomes::kIgnored, kCxx, nullptr},
    {"--device-float128", "-device-float128", Takes::kNothing, Becomes::kIgnored, kCxx, nullptr},
    {"--no-device-float128", "-no-device-float128", Takes::kNothing, Becomes::kIgnored, kCxx,
     nullptr},
    {"--builtin-move-forward", "-builtin-move-forward", Takes::kBool, Becomes::kIgnored, kCxx,
     nullptr},
    {"--builtin-initializer-list", "-builtin-initializer-list", Takes::kBool, Becomes::kIgnored,
     kCxx, nullptr},
    {"--minimal", "-minimal", Takes::kNothing, Becomes::kIgnored, kCxx, nullptr},
    {"--restrict", "-restrict", Takes::kNothing, Becomes::kIgnored, kSpeed, nullptr},
    // Arithmetic. clang's -ffast-math would take infinities for impossible, which NVIDIA's does
    // not.
    {"--use_fast_math", "-use_fast_math", Takes::kNothing, Becomes::kWords,
     "-fgpu-flush-denormals-to-zero", nullptr},
    {"--fmad", "-fmad", Takes::kBool, Becomes::kEither, "-ffp-contract=fast", "-ffp-contract=off"},
    {"--ftz", "-ftz", Takes::kBool, Becomes::kEither, "-fgpu-flush-denormals-to-zero", nullptr},
    {"--prec-sqrt", "-prec-sqrt", Takes::kBool, Becomes::kIgnored, kPrecise, nullptr},
    {"--prec-div", "-prec-div", Takes::kBool, Becomes::kIgnored, kPrecise, nullptr},
    // Debugging and messages.
    {"--device-debug", "-G", Takes::kNothing, Becomes::kWords, "-g", nullptr},
    {"--generate-line-info", "-lineinfo", Takes::kNothing, Becomes::kWords, "-g", nullptr},
    {"--disable-warnings", "-w", Takes::kNothing, Becomes::kWords, "-w", nullptr},
    {"--Wreorder", "-Wreorder", Takes::kNothing, Becomes::kWords, "-Wreorder", nullptr},
    {"--Wconversion", "-Wconversion", Takes::kNothing, Becomes::kWords, "-Wconversion", nullptr},
    {"--warning-as-error", "-Werror", Takes::kText, Becomes::kIgnored, kMessages, nullptr},
    {"--display-error-number", "-err-no", Takes::kNothing, Becomes::kIgnored, kMessages, nullptr},
    {"--no-display-error-number", "-no-err-no", Takes::kNothing, Becomes::kIgnored, kMessages,
     nullptr},
    {"--diag-error", "-diag-error", Takes::kText, Becomes::kIgnored, kMessages, nullptr},
    {"--diag-suppress", "-diag-suppress", Takes::kText, Becomes::kIgnored, kMessages, nullptr},
    {"--diag-warn", "-diag-warn", Takes::kText, Becomes::kIgnored, kMessages, nullptr},
    {"--brief-diagnostics", "-brief-diag", Takes::kBool, Becomes::kIgnored, kMessages, nullptr},
    {"--optimization-info", "-opt-info", Takes::kText, Becomes::kIgnored, kMessages, nullptr},
    {"--resource-usage", "-res-usage", Takes::kNothing, Becomes::kIgnored, kMessages, nullptr},
    {"--time", "-time", Takes::kText, Becomes::kIgnored, kMessages, nullptr},
    {"--fdevice-time-trace", "-fdevice-time-trace", Takes::kText, Becomes::kIgnored, kMessages,
     nullptr},
    {"--version-ident", "-version-ident", Takes::kBool, Becomes::kIgnored, kMessages, nullptr},
    // NVIDIA's machine code.
    {"--maxrregcount", "-maxrregcount", Takes::kInteger, Becomes::kIgnored, kSpeed, nullptr},
    {"--ptxas-options", "-Xptxas", Takes::kText, Becomes::kIgnored, kSpeed, nullptr},
    {"--dopt", "-dopt", Takes::kText, Becomes::kIgnored, kSpeed, nullptr},
    {"--Ofast-compile", "-Ofc", Takes::kText, Becomes::kIgnored, kSpeed, nullptr},
    {"--extra-device-vectorization", "-extra-device-vectorization", Takes::kNothing,
     Becomes::kIgnored, kSpeed, nullptr},
    {"--jump-table-density", "-jtd", Takes::kInteger, Becomes::kIgnored, kSpeed, nullptr},
    {"--device-stack-protector", "-device-stack-protector", Takes::kBool, Becomes::kIgnored, kSpeed,
     nullptr},
    {"--modify-stack-limit", "-modify-stack-limit", Takes::kBool, Becomes::kIgnored, kSpeed,
     nullptr},
    {"--split-compile", "-split-compile", Takes::kInteger, Becomes::kIgnored, kSpeed, nullptr},
    {"--no-cache", "-no-cache", Takes::kNothing, Becomes::kIgnored, kSpeed, nullptr},
    {"--frandom-seed", "-frandom-seed", Takes::kText, Becomes::kIgnored, kSpeed, nullptr},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", Takes::kNothing, Becomes::kIgnored, kSpeed,
     nullptr},
    // Linking.
    {"--device-c", "-dc", Takes::kNothing, Becomes::kIgnored, kWhole, nullptr},
    {"--device-w", "-dw", Takes::kNothing, Becomes::kIgnored, kWhole, nullptr},
    {"--relocatable-device-code", "-rdc", Takes::kBool, Becomes::kIgnored, kWhole, nullptr},
    {"--extensible-whole-program", "-ewp", Takes::kNothing, Becomes::kIgnored, kWhole, nullptr},
    {"--dlink-time-opt", "-dlto", Takes::kNothing, Becomes::kRefused, kNoLto, nullptr},
    {"--gen-opt-lto", "-gen-opt-lto", Takes::kNothing, Becomes::kRefused, kNoLto, nullptr},
    {"--optix-ir", "-optix-ir", Takes::kNothing, Becomes::kRefused, "MUSA does not have OptiX",
     nullptr},
    {"--enable-tile", "-enable-tile", Takes::kNothing, Becomes::kRefused, kNoTile, nullptr},
    {"--tile-only", "-tile-only", Takes::kNothing, Becomes::kRefused, kNoTile, nullptr},
    // Precompiled headers.
    {"--pch", "-pch", Takes::kNothing, Becomes::kIgnored, kHeaderSpeed, nullptr},
    {"--pch-dir", "-pch-dir", Takes::kText, Becomes::kIgnored, kHeaderSpeed, nullptr},
    {"--pch-verbose", "-pch-verbose", Takes::kBool, Becomes::kIgnored, kHeaderSpeed, nullptr},
    {"--pch-messages", "-pch-messages", Takes::kBool, Becomes::kIgnored, kHeaderSpeed, nullptr},
    {"--instantiate-templates-in-pch", "-instantiate-templates-in-pch", Takes::kBool,
     Becomes::kIgnored, kHeaderSpeed, nullptr},
    {"--create-pch", "-create-pch", Takes::kText, Becomes::kRefused, kNoHeader, nullptr},
    {"--use-pch", "-use-pch", Takes::kText, Becomes::kRefused, kNoHeader, nullptr},
};

inline constexpr size_t kOptionCount = sizeof kOptions / sizeof kOptions[0];

}  // namespace torchada::nvrtc

// clang's names for what nvcc's names say. The pairs are what nvcc 13.0 lets a program register and
// what clang 14 emits for the same source.
#include <gtest/gtest.h>

#include <string>

#include "src/shared/nvcc_name.h"

namespace {

using torchada::kernels::clang_name;
using torchada::kernels::room_for_clang_name;

std::string name_of(const std::string& nvcc, bool is_static) {
  std::string out(room_for_clang_name(nvcc.c_str()), '?');
  out.resize(clang_name(nvcc.c_str(), is_static, out.data(), out.size()));
  return out;
}

struct Pair {
  const char* nvcc;
  const char* clang;         // Empty if it is the same name, or if there is none.
  const char* clang_static;  // The same, if the last part is declared static.
};

constexpr Pair kPairs[] = {
    {"_Z4statPif", "", "_ZL4statPif"},
    {"_ZN2ns5nstatEi", "", "_ZN2nsL5nstatEi"},
    {"_ZN2ns5tstatIiLi3EEEvPT_", "", "_ZN2nsL5tstatIiLi3EEEvPT_"},
    {"_ZN2ns5tstatIN32_GLOBAL__N__fbaae8a4_4_a_cu_main1SELi3EEEvPT_",
     "_ZN2ns5tstatIN12_GLOBAL__N_11SELi3EEEvPT_", "_ZN2nsL5tstatIN12_GLOBAL__N_11SELi3EEEvPT_"},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main4anonEPi", "_ZN12_GLOBAL__N_14anonEPi", ""},
    {"_ZN2ns32_GLOBAL__N__fbaae8a4_4_a_cu_main5nanonEPKc", "_ZN2ns12_GLOBAL__N_15nanonEPKc", ""},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main5inner4deepENS_1SE",
     "_ZN12_GLOBAL__N_15inner4deepENS_1SE", ""},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main5tanonINS_1SEEEvT_Pi",
     "_ZN12_GLOBAL__N_15tanonINS_1SEEEvT_Pi", ""},
    {"_Z3runIZ4mainEUlvE_EvT_", "", "_ZL3runIZ4mainEUlvE_EvT_"},
    // Variables.
    {"svar", "", "_ZL4svar"},
    {"_ZN30_INTERNAL_fbaae8a4_4_a_cu_main2ns3nsvE", "_ZN2ns3nsvE", "_ZN2nsL3nsvE"},
    {"_ZN30_INTERNAL_fbaae8a4_4_a_cu_main32_GLOBAL__N__fbaae8a4_4_a_cu_main4avarE",
     "_ZN12_GLOBAL__N_14avarE", ""},
    // With -rdc=true.
    {"__nv_static_21__fbaae8a4_4_a_cu_main__Z4statPif", "_Z4statPif", "_ZL4statPif"},
    {"__nv_static_21__fbaae8a4_4_a_cu_main_svar", "svar", "_ZL4svar"},
    {"__nv_static_21__fbaae8a4_4_a_cu_main__ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main4anonEPi",
     "_ZN12_GLOBAL__N_14anonEPi", ""},
    // A part that is left out leaves one name without a namespace, or changes the references.
    {"_ZN11_INTERNAL_x4statEPi", "_Z4statPi", "_ZL4statPi"},
    {"_ZN11_INTERNAL_x1a4statENS0_1SE", "", ""},
    // Names of constructors, operators and the like are no kernels', and broken ones are nobody's.
    {"_ZNK1aplEi", "", ""},
    {"_ZN99_short", "", ""},
    {"_ZN", "", ""},
    {"_Z", "", ""},
    {"__nv_static_99_x", "", "_ZL16__nv_static_99_x"},
    {"__nv_static_99999999999999999999_x", "", "_ZL34__nv_static_99999999999999999999_x"},
    {"_Z99999999999999999999a", "", ""},
    {"_ZN20_GLOBAL__N_E", "", ""},
};

TEST(Names, OfInternalLinkage) {
  for (const Pair& pair : kPairs) {
    EXPECT_EQ(pair.clang, name_of(pair.nvcc, false)) << pair.nvcc;
    EXPECT_EQ(pair.clang_static, name_of(pair.nvcc, true)) << pair.nvcc;
  }
}

TEST(Names, FillTheRoomAndNoMore) {
  for (const Pair& pair : kPairs) {
    const std::string whole = name_of(pair.nvcc, true);
    for (size_t room = 1; room <= whole.size() + 1; ++room) {
      std::string out(room + 8, '?');
      const size_t length = clang_name(pair.nvcc, true, out.data(), room);
      EXPECT_EQ(room > whole.size() ? whole.size() : 0, length) << pair.nvcc;
      EXPECT_EQ("????????", out.substr(room)) << pair.nvcc;
    }
  }
}

TEST(Names, OfAnyLength) {
  const std::string name = "_ZN2ns" + std::to_string(30000) + std::string(30000, 'x') + "Ei";
  EXPECT_EQ(name.substr(0, 6) + "L" + name.substr(6), name_of(name, true));
}

}  // namespace

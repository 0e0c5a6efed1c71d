// clang's names for what nvcc's names say. The pairs are what nvcc 12.4 and 13.0 let a program
// register, and what clang 14 and 19 emit for the same source.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "src/shared/nvcc_name.h"

namespace {

using torchada::kernels::clang_name;
using torchada::kernels::is_internal;
using torchada::kernels::kNameVariants;
using torchada::kernels::room_for_clang_name;
using torchada::kernels::source_in;
using torchada::kernels::SourceName;

std::string name_of(const std::string& nvcc, unsigned variant) {
  std::string out(room_for_clang_name(nvcc.c_str()), '?');
  out.resize(clang_name(nvcc.c_str(), variant, out.data(), out.size()));
  return out;
}

std::vector<std::string> names_of(const std::string& nvcc) {
  std::vector<std::string> out;
  for (unsigned variant = 0; variant < kNameVariants; ++variant) {
    if (const std::string name = name_of(nvcc, variant); !name.empty()) out.push_back(name);
  }
  return out;
}

using Names = std::vector<std::string>;

struct Case {
  const char* nvcc;
  Names clang;  // All that it may be, if it has internal linkage.
};

const Case kCases[] = {
    {"_Z4statPif", {"_ZL4statPif"}},
    {"_ZN2ns5nstatEi", {"_ZN2nsL5nstatEi"}},
    {"_ZN2ns5tstatIiLi3EEEvPT_", {"_ZN2nsL5tstatIiLi3EEEvPT_"}},
    {"_ZN2ns5tstatIN32_GLOBAL__N__fbaae8a4_4_a_cu_main1SELi3EEEvPT_",
     {"_ZN2ns5tstatIN12_GLOBAL__N_11SELi3EEEvPT_", "_ZN2nsL5tstatIN12_GLOBAL__N_11SELi3EEEvPT_"}},
    {"_Z5gstat1GPS_N32_GLOBAL__N__959edb7c_4_b_cu_main1SE",
     {"_Z5gstat1GPS_N12_GLOBAL__N_11SE", "_ZL5gstat1GPS_N12_GLOBAL__N_11SE"}},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main4anonEPi", {"_ZN12_GLOBAL__N_14anonEPi"}},
    {"_ZN2ns32_GLOBAL__N__fbaae8a4_4_a_cu_main5nanonEPKc", {"_ZN2ns12_GLOBAL__N_15nanonEPKc"}},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main5inner4deepENS_1SE",
     {"_ZN12_GLOBAL__N_15inner4deepENS_1SE"}},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main5tanonINS_1SEEEvT_Pi",
     {"_ZN12_GLOBAL__N_15tanonINS_1SEEEvT_Pi"}},
    // Inside each other.
    {"_ZN32_GLOBAL__N__872b7492_4_a_cu_main11_GLOBAL__N_5anon2ENS_1SEPS1_1GPS3_",
     {"_ZN12_GLOBAL__N_112_GLOBAL__N_15anon2ENS_1SEPS1_1GPS3_"}},
    {"_Z3runIZ4mainEUlvE_EvT_",
     {"_Z3runIZL4mainEUlvE_EvT_", "_ZL3runIZ4mainEUlvE_EvT_", "_ZL3runIZL4mainEUlvE_EvT_"}},
    // Variables.
    {"svar", {"_ZL4svar"}},
    {"_ZN30_INTERNAL_fbaae8a4_4_a_cu_main2ns3nsvE", {"_ZN2nsL3nsvE"}},
    {"_ZN30_INTERNAL_fbaae8a4_4_a_cu_main32_GLOBAL__N__fbaae8a4_4_a_cu_main4avarE",
     {"_ZN12_GLOBAL__N_14avarE"}},
    // With -rdc=true.
    {"__nv_static_21__fbaae8a4_4_a_cu_main__Z4statPif", {"_ZL4statPif"}},
    {"__nv_static_21__fbaae8a4_4_a_cu_main_svar", {"_ZL4svar"}},
    {"__nv_static_21__fbaae8a4_4_a_cu_main__ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main4anonEPi",
     {"_ZN12_GLOBAL__N_14anonEPi"}},
    // A level that is left out leaves one name without a namespace, and changes the references.
    {"_ZN11_INTERNAL_x4statEPi", {"_ZL4statPi"}},
    {"_ZN11_INTERNAL_x1a4statENS0_1SE", {"_ZN1aL4statENS_1SE"}},
    {"_ZN11_INTERNAL_x4statIiEEvPT_", {"_ZL4statIiEvPT_"}},
    {"_ZN11_INTERNAL_x2nsE", {"_ZL2ns"}},
    // Lambdas in functions with internal linkage.
    {"_Z4runxIZN30_INTERNAL_959edb7c_4_b_cu_main7scallerEN2ns1TEPS2_EUlS3_PN32_GLOBAL__N__959edb7c_"
     "4_b_cu_main1SEE0_JS3_S6_EEvT_DpT0_",
     {"_Z4runxIZ7scallerN2ns1TEPS1_EUlS2_PN12_GLOBAL__N_11SEE0_JS2_S5_EEvT_DpT0_",
      "_Z4runxIZL7scallerN2ns1TEPS1_EUlS2_PN12_GLOBAL__N_11SEE0_JS2_S5_EEvT_DpT0_",
      "_ZL4runxIZ7scallerN2ns1TEPS1_EUlS2_PN12_GLOBAL__N_11SEE0_JS2_S5_EEvT_DpT0_",
      "_ZL4runxIZL7scallerN2ns1TEPS1_EUlS2_PN12_GLOBAL__N_11SEE0_JS2_S5_EEvT_DpT0_"}},
    {"_Z4runxIZN30_INTERNAL_959edb7c_4_b_cu_main7tcallerIN32_GLOBAL__N__959edb7c_4_b_cu_main1SEEEv"
     "T_PS4_EUlPN2ns1TEPS3_E_JS8_S9_EEvS4_DpT0_",
     {"_Z4runxIZ7tcallerIN12_GLOBAL__N_11SEEvT_PS3_EUlPN2ns1TEPS2_E_JS7_S8_EEvS3_DpT0_",
      "_Z4runxIZL7tcallerIN12_GLOBAL__N_11SEEvT_PS3_EUlPN2ns1TEPS2_E_JS7_S8_EEvS3_DpT0_",
      "_ZL4runxIZ7tcallerIN12_GLOBAL__N_11SEEvT_PS3_EUlPN2ns1TEPS2_E_JS7_S8_EEvS3_DpT0_",
      "_ZL4runxIZL7tcallerIN12_GLOBAL__N_11SEEvT_PS3_EUlPN2ns1TEPS2_E_JS7_S8_EEvS3_DpT0_"}},
    {"_ZN32_GLOBAL__N__959edb7c_4_b_cu_main3runIZNS_6callerENS_1SEN2ns1TEPS1_PS3_EUlvE_EEvT_S4_"
     "PS7_",
     {"_ZN12_GLOBAL__N_13runIZNS_6callerENS_1SEN2ns1TEPS1_PS3_EUlvE_EEvT_S4_PS7_",
      "_ZN12_GLOBAL__N_13runIZNS_L6callerENS_1SEN2ns1TEPS1_PS3_EUlvE_EEvT_S4_PS7_"}},
    // A reference to a function template: of a namespace, and of none.
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main1kIZN2ns1fIiEEvT_EUlvE_ZS2_IiEvS3_EUlvE0_EEvS3_T0_",
     {"_ZN12_GLOBAL__N_11kIZN2ns1fIiEEvT_EUlvE_ZNS2_IiEEvS3_EUlvE0_EEvS3_T0_",
      "_ZN12_GLOBAL__N_11kIZN2nsL1fIiEEvT_EUlvE_ZNS2_IiEEvS3_EUlvE0_EEvS3_T0_"}},
    {"_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main1kIZ1fIiEvT_EUlvE_ZS1_IiEvS2_EUlvE0_EEvS2_T0_",
     {"_ZN12_GLOBAL__N_11kIZ1fIiEvT_EUlvE_ZS1_IiEvS2_EUlvE0_EEvS2_T0_",
      "_ZN12_GLOBAL__N_11kIZL1fIiEvT_EUlvE_ZS1_IiEvS2_EUlvE0_EEvS2_T0_"}},
    // PyTorch's, in Loss.cu and Distributions.cu.
    {"_ZN2at6native29vectorized_elementwise_kernelILi2EZZZN37_INTERNAL_5cd812b1_7_Loss_cu_"
     "5b0651e139"
     "_GLOBAL__N__5cd812b1_7_Loss_cu_5b0651e140binary_cross_entropy_backward_out_kernelERNS_"
     "6TensorE"
     "RKS4_S7_S7_ENKUlvE_clEvENKUlvE_clEvEUldddE_St5arrayIPcLm4EEEEviT0_T1_",
     {"_ZN2at6native29vectorized_elementwise_kernelILi2EZZZN12_GLOBAL__N_140binary_cross_entropy_"
      "bac"
      "kward_out_kernelERNS_6TensorERKS3_S6_S6_ENKUlvE_clEvENKUlvE_clEvEUldddE_St5arrayIPcLm4EEEEvi"
      "T0_T1_",
      "_ZN2at6nativeL29vectorized_elementwise_kernelILi2EZZZN12_GLOBAL__N_140binary_cross_entropy_"
      "ba"
      "ckward_out_kernelERNS_6TensorERKS3_S6_S6_ENKUlvE_clEvENKUlvE_clEvEUldddE_St5arrayIPcLm4EEEEv"
      "iT0_T1_"}},
    {"_ZN2at6native49_GLOBAL__N__209856df_16_Distributions_cu_bfe2d17d38distribution_binary_"
     "elementw"
     "ise_kernelIZN47_INTERNAL_209856df_16_Distributions_cu_bfe2d17d49_GLOBAL__N__209856df_16_"
     "Distri"
     "butions_cu_bfe2d17d20binomial_cuda_kernelIfEEvRNS_18TensorIteratorBaseENS_"
     "15PhiloxCudaStateEEU"
     "lR24curandStatePhilox4_32_10ffE_23TrivialOffsetCalculatorILi2EjESC_ILi1EjEEEviT_S8_"
     "PN15functio"
     "n_traitsISF_E11result_typeEPKNSH_3argILi1EE4typeEPKNSK_ILi2EE4typeET0_T1_",
     {"_ZN2at6native12_GLOBAL__N_138distribution_binary_elementwise_kernelIZN12_GLOBAL__N_"
      "120binomia"
      "l_cuda_kernelIfEEvRNS_18TensorIteratorBaseENS_15PhiloxCudaStateEEUlR24curandStatePhilox4_32_"
      "1"
      "0ffE_23TrivialOffsetCalculatorILi2EjESB_ILi1EjEEEviT_S7_PN15function_traitsISE_E11result_"
      "type"
      "EPKNSG_3argILi1EE4typeEPKNSJ_ILi2EE4typeET0_T1_"}},
    // Broken ones are nobody's.
    {"_ZN99_short", {}},
    {"_ZN", {}},
    {"_Z", {}},
    {"__nv_static_99_x", {"_ZL16__nv_static_99_x"}},
    {"__nv_static_99999999999999999999_x", {"_ZL34__nv_static_99999999999999999999_x"}},
    {"_Z99999999999999999999a", {}},
    {"_ZN20_GLOBAL__N_E", {}},
    {"_ZN11_INTERNAL_xE", {}},
    {"_Z1kS0_", {}},
    {"_ZN11_INTERNAL_x1kES_", {}},
};

TEST(Names, OfInternalLinkage) {
  for (const Case& each : kCases) {
    Names names = names_of(each.nvcc), wanted = each.clang;
    std::sort(names.begin(), names.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(wanted, names) << each.nvcc;
    for (const std::string& name : wanted) EXPECT_TRUE(is_internal(name.c_str())) << name;
  }
}

TEST(Names, OfExternalLinkage) {
  for (const char* name :
       {"_Z4statPif", "_ZN2ns5tstatIiLi3EEEvPT_", "_Z3runIZ4mainEUlvE_EvT_", "svar",
        "_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIfNS0_10NormTwoOpsIfff"
        "EEjfLi4EEEEEvT1_",
        "", "_Z", "_ZL"}) {
    EXPECT_FALSE(is_internal(name)) << name;
  }
}

// Of each function inside a name, and of all, it is tried whether it is static.
TEST(Names, OfSeveralFunctions) {
  const Names names = names_of("_Z1kIZ1fIZ1gvEUlvE_EvvEUlvE_EvT_");
  for (const char* name :
       {"_Z1kIZL1fIZ1gvEUlvE_EvvEUlvE_EvT_", "_Z1kIZ1fIZL1gvEUlvE_EvvEUlvE_EvT_",
        "_Z1kIZL1fIZL1gvEUlvE_EvvEUlvE_EvT_", "_ZL1kIZ1fIZ1gvEUlvE_EvvEUlvE_EvT_"}) {
    EXPECT_EQ(1, std::count(names.begin(), names.end(), name)) << name;
  }
}

// What only some names have: expressions, decltype, arrays, members, packs, vectors, operators.
TEST(Names, OfEveryForm) {
  for (const std::string rest : {"IXsr3std11is_integralIT_EE5valueEEvT_",
                                 "IiEDTplfp_fp0_ET_S1_",
                                 "ILi3EEvRAT__i",
                                 "IM1CFivEEvT_",
                                 "IJifdEEvDpT_",
                                 "IDv4_fEvT_",
                                 "I1CEvDTclonpldtfp_1xEE",
                                 "ILb1ELm8ELn3EEvv",
                                 "ILDn0EEvPv",
                                 "IXadL_ZN1C1mEvEEEvv",
                                 "IDF16_Evu6__bf16",
                                 "IXtl1PLi1ELi2EEEEvv",
                                 "I1CEvDpPKT_z",
                                 "IiEvNSt9enable_ifIXntsr3std7is_sameIT_fEE5valueEiE4typeE",
                                 "IXszT_EEvv",
                                 "IPFivEEvPDoFivE",
                                 "IXflplT_EEvv",
                                 "IN1CUt_EEvv",
                                 "IZ1fvE1CEvv",
                                 "IZ1fvE1C_0Evv",
                                 "ISaIcEEvSsSt6vectorIiS0_E"}) {
    EXPECT_EQ("_ZL1k" + rest, name_of("_Z1k" + rest, 1)) << rest;
  }
}

TEST(Names, FillTheRoomAndNoMore) {
  for (const Case& each : kCases) {
    for (unsigned variant = 0; variant < kNameVariants; ++variant) {
      const std::string whole = name_of(each.nvcc, variant);
      for (size_t room = 1; room <= whole.size() + 1; ++room) {
        std::string out(room + 8, '?');
        const size_t length = clang_name(each.nvcc, variant, out.data(), room);
        EXPECT_EQ(room > whole.size() ? whole.size() : 0, length) << each.nvcc;
        EXPECT_EQ("????????", out.substr(room)) << each.nvcc;
      }
    }
  }
}

TEST(Names, OfAnyLength) {
  const std::string name = "_ZN2ns" + std::to_string(30000) + std::string(30000, 'x') + "Ei";
  EXPECT_EQ(name.substr(0, 6) + "L" + name.substr(6), name_of(name, 1));
}

std::string source_of(const std::string& name) {
  const SourceName source = source_in(name.c_str());
  return source.text ? std::string(source.text, source.length) : "";
}

TEST(Sources, AreTold) {
  EXPECT_EQ("a_cu", source_of("_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main4anonEPi"));
  EXPECT_EQ("a_cu", source_of("_ZN30_INTERNAL_fbaae8a4_4_a_cu_main2ns3nsvE"));
  EXPECT_EQ("a_cu", source_of("__nv_static_21__fbaae8a4_4_a_cu_main__Z4statPif"));
  // 9-lives.x.cu, ünï.cu and a source whose name has hashes of other things.
  EXPECT_EQ("9_lives_x_cu", source_of("_ZN42_GLOBAL__N__a638a9f3_12_9_lives_x_cu__Z1fv1kEi"));
  EXPECT_EQ("__n___cu", source_of("_ZN37_GLOBAL__N__a9c2b442_8___n___cu__Z1fv1kEi"));
  EXPECT_EQ(
      "ActivationThresholdKernel_cu",
      source_of("_Z1kN67_GLOBAL__N__06c19b41_28_ActivationThresholdKernel_cu_12b5126a_253141SE"));
  EXPECT_EQ("a_cu", source_of("_Z1kN11_GLOBAL__N_1SEN32_GLOBAL__N__fbaae8a4_4_a_cu_main1SE"));
  for (const char* name :
       {"", "svar", "_Z4statPif", "_ZN12_GLOBAL__N_14anonEPi", "_ZN11_INTERNAL_x4statEPi",
        "_GLOBAL__N__fbaae8a4_99_a_cu_main", "_GLOBAL__N__fbaae8a4_4_a_cu", "_GLOBAL__N__fbaae8a4_",
        "_GLOBAL__N__fbaae8a4_99999999999999999999_a_cu_main", "_GLOBAL__N__xyz_4_a_cu_main",
        "_GLOBAL__N__fbaae8a4_4_a.cu_main", "_GLOBAL__N__fbaae8a4_0__main", "__nv_static_",
        "_INTERNAL_"}) {
    EXPECT_EQ("", source_of(name)) << name;
  }
}

// Nothing is read or written where it must not be (the sanitizers' build tells), and it ends.
void use(const std::string& name) {
  const std::string out = name_of(name, static_cast<unsigned>(name.size()) % kNameVariants);
  if (!out.empty()) {
    EXPECT_TRUE(is_internal(out.c_str())) << name;
  }
  EXPECT_LE(source_of(name).size(), name.size());
}

TEST(Fuzz, BytesAnywhere) {
  std::mt19937 random(45);
  const std::string letters = "NESTILZXKPRJDUFMACLOVBGY_0123456789abcdefilmnoprstuvwxyz";
  for (const Case& each : kCases) {
    const std::string whole = each.nvcc;
    for (size_t length = 0; length < whole.size(); ++length) use(whole.substr(0, length));
    for (int round = 0; round < 3000; ++round) {
      std::string name = whole;
      for (unsigned change = 0; change <= random() % 3; ++change) {
        const size_t at = random() % (name.size() + 1);
        switch (random() % 4) {
          case 0:
            name.insert(at, 1, letters[random() % letters.size()]);
            break;
          case 1:
            if (at < name.size()) name[at] = static_cast<char>(1 + random() % 255);
            break;
          case 2:
            if (at < name.size()) name.erase(at, random() % 8);
            break;
          default:
            name.insert(at, name.substr(random() % (name.size() + 1), random() % 32));
        }
      }
      use(name);
    }
  }
  for (int round = 0; round < 100000; ++round) {
    std::string name = round % 2 == 0 ? "_Z" : "_ZN";
    for (unsigned left = random() % 40; left != 0; --left)
      name += letters[random() % letters.size()];
    use(name);
  }
}

// A megabyte of what is read again and again, is nested without end, or is moved at each step.
TEST(Fuzz, LongNames) {
  constexpr size_t kMost = size_t{1} << 20;
  const std::string level = "N11_INTERNAL_x1a";
  for (const char* unit : {"P",
                           "N",
                           "Z",
                           "I",
                           "X",
                           "L",
                           "S_",
                           "Z1f",
                           "1a",
                           "N1a",
                           "N11_INTERNAL_x1aE",
                           "IN11_INTERNAL_x1aI",
                           "NS_1aE",
                           "_GLOBAL__N__a_255_",
                           "11_GLOBAL__N_",
                           "_INTERNAL_a_4_",
                           "__nv_static_",
                           "9",
                           "UlT",
                           "plT_",
                           "FvF",
                           "A1_",
                           "J",
                           "Ty",
                           "TtE",
                           "DT",
                           "sr1a",
                           "cl",
                           "Dv"}) {
    std::string name = "_Z";
    while (name.size() < kMost) name += unit;
    const auto start = std::chrono::steady_clock::now();
    for (unsigned variant = 0; variant < kNameVariants; ++variant) name_of(name, variant);
    for (const std::string start_of :
         {"_ZN11_INTERNAL_x1aI", "_Z1aI", "_Z1av", "__nv_static_99__a_4_a_cu_main_"}) {
      use(start_of + name.substr(2));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 5) << unit;
  }
}

// As deep as anyone can go.
TEST(Fuzz, DeepNames) {
  for (const size_t depth : {10, 100, 1000, 100000}) {
    std::string name = "_Z1k", close;
    for (size_t i = 0; i < depth; ++i) {
      name += "I1t";
      close += "E";
    }
    const Names names = names_of(name + "Ii" + "E" + close + "vv");
    EXPECT_EQ(depth <= 10 ? 1U : 0U, names.size()) << depth;
  }
}

}  // namespace

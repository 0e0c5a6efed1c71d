// The facts that come from libclang's view of a header.
#include <gtest/gtest.h>

#include "generator/extract/clang_headers.h"
#include "generator/extract/fact_difference.h"

namespace torchada {
namespace {

HeaderRequest request_for(const std::string& header) {
  HeaderRequest request;
  request.header = header;
  request.include_folders = {HEADER_FIXTURES};
  return request;
}

class HardHeader : public testing::Test {
 protected:
  static const HeaderFacts& facts() {
    static const HeaderFacts kFacts = [] {
      HeaderRequest request = request_for("hard.h");
      request.macros = {"HARD_VERSION", "HARD_UNDEFINED"};
      return parse_header(request);
    }();
    return kFacts;
  }
  static const TypeFact& type(const std::string& name) { return facts().types.at(name).fact; }
  static std::string function(const std::string& name) {
    return describe(facts().functions.at(name).prototype);
  }
  static std::string values(const std::string& name) {
    std::string out;
    for (const EnumValue& value : type(name).enumeration.values) {
      out += value.name + "=" + std::to_string(value.value) + " ";
    }
    return out;
  }
  static std::string fields(const std::string& name) {
    std::string out;
    for (const Field& field : type(name).structure.fields) {
      out += field.name + "|" + field.type + "|" + std::to_string(field.offset) + "\n";
    }
    return out;
  }
};

TEST_F(HardHeader, EnumValuesKeepTheirSign) {
  EXPECT_EQ(values("hardSigned"), "HARD_NEGATIVE=-1 HARD_ZERO=0 HARD_LARGE=2147483647 ");
  EXPECT_EQ(values("hardUnsigned_t"), "HARD_FLAG=2147483648 HARD_ALL=4294967295 ");
  EXPECT_EQ(values("hardWide_t"), "HARD_WIDE=4294967296 HARD_WIDE_NEGATIVE=-5 ");
}

TEST_F(HardHeader, EnumHasTagAndTypedef) {
  EXPECT_EQ(values("hardTag"), "HARD_TAGGED=7 ");
  EXPECT_EQ(values("hardTag_t"), "HARD_TAGGED=7 ");
}

TEST_F(HardHeader, BitFieldsHaveWidthAndFirstByte) {
  const StructLayout& layout = type("hardBits").structure;
  EXPECT_EQ(layout.size, 8);
  EXPECT_EQ(layout.align, 4);
  EXPECT_EQ(fields("hardBits"),
            "first|unsigned int:1|0\nsecond|unsigned int:7|0\n|unsigned int:4|1\n"
            "third|unsigned int:20|1\ntail|char|4\n");
}

TEST_F(HardHeader, MembersWithoutTypeNameAreFlattened) {
  const StructLayout& layout = type("hardRecord_t").structure;
  EXPECT_EQ(layout.size, 104);
  EXPECT_EQ(layout.align, 8);
  EXPECT_EQ(fields("hardRecord_t"),
            "kind|int|0\nnumber|int|8\nnamed.pointer|void *|8\nnamed.name|const void *|16\n"
            "real|double|8\npairs[0].x|short|24\npairs[0].y|short|26\npairs[1].x|short|28\n"
            "pairs[1].y|short|30\ntexts|const char *[3]|32\nmatrix|int[2][4]|56\n"
            "callback|hardCallback_t|88\nplain|void (*)(void *, int)|96\n");
}

TEST_F(HardHeader, UnionsAreMarked) {
  EXPECT_TRUE(type("hardUnion").structure.is_union);
  EXPECT_EQ(fields("hardUnion"), "bytes|char[24]|0\nreal|double|0\n");
  EXPECT_FALSE(type("hardRecord_t").structure.is_union);
}

TEST_F(HardHeader, StructMayPointAtItself) { EXPECT_EQ(fields("hardNode"), "next|hardNode *|0\n"); }

TEST_F(HardHeader, TypedefsHaveTheirKind) {
  EXPECT_EQ(type("hardHandle_t").kind, TypeKind::kHandle);
  EXPECT_EQ(type("hardHandle_t").underlying, "hardOpaque_st *");
  EXPECT_EQ(type("hardConstHandle_t").underlying, "const hardOpaque_st *");
  EXPECT_EQ(type("hardMask_t").kind, TypeKind::kScalar);
  EXPECT_EQ(type("hardMask_t").underlying, "unsigned long long");
  EXPECT_EQ(type("hardVector_t").underlying, "unsigned int[32]");
  EXPECT_EQ(type("hardCallback_t").kind, TypeKind::kCallback);
  EXPECT_EQ(describe(type("hardCallback_t").callback), "void (hardHandle_t, hardSigned, void *)");
  EXPECT_EQ(type("hardCallback_t").callback.parameters[1].name, "status");
  EXPECT_EQ(type("hardFunction_t").kind, TypeKind::kCallback);
  EXPECT_EQ(type("hardOpaque_st").structure.size, 0);
}

TEST_F(HardHeader, SpellsParameters) {
  EXPECT_EQ(function("hardCreate"), "hardHandle_t (const char *const *, const void *)");
  EXPECT_EQ(function("hardArrays"), "void (int *, const float (*)[8], hardVector_t)");
  EXPECT_EQ(function("hardCallbacks"),
            "int (void (*)(void *), hardCallback_t, hardFunction_t *, int (*(*)(void))(int))");
  EXPECT_EQ(function("hardEnum"), "hardSigned (hardBits, hardUnion *, hardRecord_t *)");
  EXPECT_EQ(function("hardNothing"), "void ()");
  EXPECT_EQ(function("hardOld"), "int ()");
  EXPECT_EQ(function("hardVariadic"), "int (const char *, ...)");
  EXPECT_EQ(function("hardMask"), "int (hardMask_t, volatile int *, const hardRecord_t *const *)");
}

TEST_F(HardHeader, KeepsParameterNamesAndTheHeader) {
  const HeaderFunction& create = facts().functions.at("hardCreate");
  EXPECT_EQ(create.prototype.parameters[0].name, "names");
  EXPECT_EQ(create.header, "hard.h");
}

TEST_F(HardHeader, TakesNamesAfterMacrosAndNoInlineOrStaticFunctions) {
  EXPECT_EQ(facts().functions.count("hardRenamed"), 0u);
  EXPECT_EQ(facts().functions.count("hardRenamed_v2"), 1u);
  EXPECT_EQ(facts().functions.count("hard_inline"), 0u);
  EXPECT_EQ(facts().functions.count("hard_static"), 0u);
}

TEST_F(HardHeader, LeavesTheCLibraryOut) {
  EXPECT_EQ(facts().types.count("size_t"), 0u);
  EXPECT_EQ(facts().types.count("uint32_t"), 0u);
}

TEST_F(HardHeader, EvaluatesMacros) {
  EXPECT_EQ(facts().macros.at("HARD_VERSION"), 50100);
  EXPECT_EQ(facts().macros.count("HARD_UNDEFINED"), 0u);
}

TEST_F(HardHeader, AgreesWithItselfAsCxx) {
  HeaderRequest request = request_for("hard.h");
  request.cxx = true;
  const HeaderFacts cxx = parse_header(request);
  for (const auto& [name, function] : facts().functions) {
    ASSERT_EQ(cxx.functions.count(name), 1u) << name;
    EXPECT_EQ(describe(cxx.functions.at(name).prototype), describe(function.prototype)) << name;
  }
  for (const auto& [name, type] : facts().types) {
    ASSERT_EQ(cxx.types.count(name), 1u) << name;
    EXPECT_EQ(differences(type.fact, cxx.types.at(name).fact), std::vector<std::string>()) << name;
  }
}

TEST_F(HardHeader, CxxFunctionsGoByTheLinkersName) {
  HeaderRequest request = request_for("hard.h");
  request.cxx = true;
  const HeaderFacts cxx = parse_header(request);
  EXPECT_EQ(cxx.functions.at("_Z12hardOverloadi").name, "hardOverload");
  EXPECT_EQ(cxx.functions.at("_Z12hardOverloadd").name, "hardOverload");
  EXPECT_EQ(cxx.functions.count("_Z13hardReferenceR12hardRecord_tb"), 1u);
}

TEST(HeaderErrors, NameHeaderAndCause) {
  const auto error_of = [](const std::string& header) -> std::string {
    try {
      parse_header(request_for(header));
      return "";
    } catch (const ExtractError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of("absent.h"), "absent.h: not found in the given directories");
  EXPECT_NE(error_of("broken.h").find("broken.h:2:"), std::string::npos) << error_of("broken.h");
  EXPECT_NE(error_of("missing_include.h").find("no_such_header_anywhere.h"), std::string::npos);
}

TEST(HeaderErrors, LenientParsingDropsTheBrokenDeclaration) {
  HeaderRequest request = request_for("lenient.h");
  EXPECT_THROW(parse_header(request), ExtractError);
  request.tolerate_errors = true;
  const HeaderFacts facts = parse_header(request);
  EXPECT_EQ(facts.functions.count("without_error"), 1u);
  EXPECT_EQ(facts.functions.count("with_error"), 0u);
}

TEST(HeaderErrors, AMissingIncludeIsNeverTolerated) {
  HeaderRequest request = request_for("missing_include.h");
  request.tolerate_errors = true;
  EXPECT_THROW(parse_header(request), ExtractError);
}

TEST(MergeFacts, RefusesContradictions) {
  HeaderFacts one;
  one.functions["f"] = {{"int", {}}, "a.h", "f"};
  HeaderFacts two;
  two.functions["f"] = {{"long", {}}, "b.h", "f"};
  EXPECT_THROW(merge_facts(one, two), ExtractError);
}

TEST(MergeFacts, ACompleteStructWinsOverItsDeclaration) {
  HeaderFacts declared;
  declared.types["s"].fact.kind = TypeKind::kStruct;
  HeaderFacts defined = declared;
  defined.types["s"].fact.structure.size = 8;
  defined.types["s"].fact.structure.fields = {{"x", "long", 0}};
  HeaderFacts facts = declared;
  merge_facts(facts, defined);
  EXPECT_EQ(facts.types["s"].fact.structure.size, 8);
  merge_facts(facts, declared);
  EXPECT_EQ(facts.types["s"].fact.structure.size, 8);
}

}  // namespace
}  // namespace torchada

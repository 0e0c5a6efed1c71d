// plan_route alone: what it asks is answered here, so every kind of row meets every kind of answer.
#include "stubs/resolving/plan.h"

#include <gtest/gtest.h>
#include <string.h>

#include "stubs/resolving/backend.h"
#include "stubs/resolving/lifetime.h"
#include "stubs/system/environment.h"

namespace torchada {
namespace {

constexpr char kStrings[] = "\0cuda\0reason\0musa\0musa2\0needed";
constexpr uint32_t kName = 1, kReason = 6, kMusa = 13, kMusa2 = 18, kNeeded = 24;
const Target kTargets[] = {
    {kMusa, 0, kNoSdkEnd, 0}, {kMusa2, 0, kNoSdkEnd, 1}, {kNeeded, 0, kNoSdkEnd, 0}};
// What adapters need: nothing, except in tests that say so.
const Symbol kSymbols[] = {
    {kNeeded, 0, 2, 0, 1, Decision::kInternal, Returns::kStatus, BackendLibrary::kMublas, 0}};
constexpr uint16_t kNoAdapter = 0xffff;
Need needs[2];
Lookup of_need;  // The answer about it.
int adapters[3];
void* const kAdapters[] = {nullptr, &adapters[1], &adapters[2]};
int function_of_musa;

// What the world answers.
Lookup in_backend, in_override;
unsigned targets_sought;  // By the last question about the backend.
int questions;            // About the backend.
bool is_disabled, has_ended, has_been_cut_off;

Symbol row(Decision decision, uint16_t guard = 0) {
  Symbol symbol{};
  symbol.name = kName;
  symbol.reason = kReason;
  symbol.adapter = 2;
  symbol.target_count = 2;
  symbol.decision = decision;
  symbol.guard = guard;
  return symbol;
}

class PlanRoute : public testing::Test {
 protected:
  PlanRoute() {
    in_backend = {Lookup::kFound, &function_of_musa, "libmusart", &kTargets[0], true};
    in_override = {Lookup::kMissing, nullptr, nullptr, nullptr, true};
    is_disabled = has_ended = has_been_cut_off = false;
    questions = 0;
    targets_sought = 0;
    needs[0] = needs[1] = {kNoAdapter, 0};
    of_need = {Lookup::kFound, &function_of_musa, "libmublas", &kTargets[2], true};
  }
  void adapters_need() {
    needs[0] = {1, 0};
    needs[1] = {2, 0};
  }
  void need_is_missing() {
    adapters_need();
    of_need = {Lookup::kMissing, nullptr, "libmublas", nullptr, true};
  }
  void lacks_function() { in_backend = {Lookup::kMissing, nullptr, "libmusart", nullptr, true}; }
  void lacks_musa() { in_backend = {Lookup::kNoBackend, nullptr, nullptr, nullptr, true}; }
};

TEST_F(PlanRoute, AdapterWithWhatItNeeds) {
  adapters_need();
  Plan plan = plan_route(row(Decision::kAdapter), 0);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, &adapters[2]);
  EXPECT_TRUE(plan.settled);
  of_need.settled = false;
  plan = plan_route(row(Decision::kAdapter), 0);
  EXPECT_EQ(plan.address, &adapters[2]);
  EXPECT_FALSE(plan.settled);
}

TEST_F(PlanRoute, AdapterWithoutWhatItNeedsIsRefused) {
  need_is_missing();
  for (const unsigned requests : {0U, unsigned{kOverride}}) {
    const Plan plan = plan_route(row(Decision::kAdapter), requests);
    EXPECT_EQ(plan.outcome, Plan::kRefused);
    EXPECT_EQ(plan.failure, FailureKind::kUnsupported);
    EXPECT_EQ(plan.reason, nullptr);
    EXPECT_STREQ(plan.target, "needed");
    EXPECT_STREQ(plan.file, "libmublas");
  }
  lacks_function();
  EXPECT_EQ(plan_route(row(Decision::kDirectOrAdapter), 0).outcome, Plan::kRefused);
  EXPECT_EQ(plan_route(row(Decision::kDirectOrAdapter), 0).file, of_need.file);
}

TEST_F(PlanRoute, GeneratedAdapterWithoutWhatItNeedsIsRefused) {
  need_is_missing();
  EXPECT_EQ(plan_route(row(Decision::kDirect), 0).outcome, Plan::kServed) << "no adapter";
  in_backend.target = &kTargets[1];
  const Plan plan = plan_route(row(Decision::kDirect), 0);
  EXPECT_EQ(plan.outcome, Plan::kRefused);
  EXPECT_EQ(plan.adapter, 0);
  EXPECT_STREQ(plan.target, "needed");
}

TEST_F(PlanRoute, AdapterWithoutTheLibraryItNeeds) {
  need_is_missing();
  of_need = {Lookup::kNoBackend, nullptr, "libmusart", nullptr, true};
  Plan plan = plan_route(row(Decision::kAdapter), 0);
  EXPECT_EQ(plan.outcome, Plan::kRefused);
  EXPECT_EQ(plan.failure, FailureKind::kNoBackend);
  EXPECT_STREQ(plan.file, "libmusart");
  of_need.file = nullptr;
  plan = plan_route(row(Decision::kAdapter), 0);
  EXPECT_EQ(plan.address, &adapters[2]) << "without MUSA the adapter answers";
}

TEST_F(PlanRoute, AdapterBehindAGuardWithoutWhatItNeeds) {
  need_is_missing();
  lacks_function();
  const Plan plan = plan_route(row(Decision::kAdapter, 3), 0);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, nullptr) << "the guard refuses by itself";
  EXPECT_EQ(plan.adapter, 0);
  EXPECT_EQ(plan.guard, 3);
}

TEST_F(PlanRoute, NeedsAreNotSoughtAtTheEnd) {
  need_is_missing();
  has_been_cut_off = true;
  EXPECT_EQ(plan_route(row(Decision::kAdapter), 0).address, &adapters[2]);
  has_been_cut_off = false;
  has_ended = true;
  EXPECT_EQ(plan_route(row(Decision::kAdapter), 0).address, &adapters[2]);
  EXPECT_EQ(questions, 0);
}

// The loader is not asked, whatever the row; what needs no loader works.
TEST_F(PlanRoute, CutOff) {
  has_been_cut_off = true;
  for (const Decision decision : {Decision::kUnsupported, Decision::kNoImage}) {
    const Plan plan = plan_route(row(decision), kOverride);
    EXPECT_EQ(plan.outcome, Plan::kFailsInSilence);
    EXPECT_EQ(plan.failure, FailureKind::kForked);
  }
  EXPECT_EQ(plan_route(row(Decision::kAdapter, 3), 0).outcome, Plan::kFailsInSilence);
  const Plan plan = plan_route(row(Decision::kAdapter), kOverride);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, &adapters[2]);
  EXPECT_EQ(questions, 0);
}

TEST_F(PlanRoute, DirectLeadsToMusa) {
  const Plan plan = plan_route(row(Decision::kDirect), 0);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, &function_of_musa);
  EXPECT_EQ(plan.adapter, 0);
  EXPECT_EQ(plan.guard, 0);
  EXPECT_TRUE(plan.settled);
  EXPECT_STREQ(plan.target, "musa");
  EXPECT_STREQ(plan.file, "libmusart");
  EXPECT_EQ(targets_sought, 2U);
}

TEST_F(PlanRoute, TargetWithAnAdapterAndAGuard) {
  in_backend.target = &kTargets[1];
  const Plan plan = plan_route(row(Decision::kDirect, 3), 0);
  EXPECT_EQ(plan.address, &function_of_musa);
  EXPECT_EQ(plan.adapter, 1);
  EXPECT_EQ(plan.guard, 3);
  EXPECT_STREQ(plan.target, "musa2");
}

TEST_F(PlanRoute, WhileOpeningNothingIsKept) {
  in_backend.settled = false;
  EXPECT_FALSE(plan_route(row(Decision::kDirect), 0).settled);
  EXPECT_FALSE(plan_route(row(Decision::kUnsupported), 0).settled);
  EXPECT_FALSE(plan_route(row(Decision::kAdapter, 1), 0).settled);
  EXPECT_TRUE(plan_route(row(Decision::kAdapter), 0).settled) << "it does not depend on MUSA";
}

TEST_F(PlanRoute, MissingFunctionIsRefusedByName) {
  lacks_function();
  const Plan plan = plan_route(row(Decision::kDirect), 0);
  EXPECT_EQ(plan.outcome, Plan::kRefused);
  EXPECT_EQ(plan.failure, FailureKind::kUnsupported);
  EXPECT_EQ(plan.reason, nullptr);
  EXPECT_STREQ(plan.target, "musa");
  EXPECT_STREQ(plan.file, "libmusart");
}

TEST_F(PlanRoute, MissingFunctionOfAnAdapterFailsInSilence) {
  lacks_function();
  EXPECT_EQ(plan_route(row(Decision::kInternal), 0).outcome, Plan::kFailsInSilence);
  lacks_musa();
  const Plan plan = plan_route(row(Decision::kInternal), 0);
  EXPECT_EQ(plan.outcome, Plan::kFailsInSilence);
  EXPECT_EQ(plan.failure, FailureKind::kNoBackend);
}

TEST_F(PlanRoute, MissingFunctionBehindAGuard) {
  lacks_function();
  const Plan plan = plan_route(row(Decision::kDirect, 1), 0);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, nullptr) << "the guard refuses by itself";
  EXPECT_EQ(plan.guard, 1);
}

TEST_F(PlanRoute, AdapterStandsInForAMissingFunction) {
  EXPECT_EQ(plan_route(row(Decision::kDirectOrAdapter), 0).address, &function_of_musa);
  lacks_function();
  const Plan plan = plan_route(row(Decision::kDirectOrAdapter), 0);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, &adapters[2]);
  EXPECT_STREQ(plan.target, "adapter");
  EXPECT_EQ(plan.file, nullptr);
}

TEST_F(PlanRoute, AdapterOpensNoMusa) {
  lacks_musa();
  const Plan plan = plan_route(row(Decision::kAdapter), 0);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, &adapters[2]);
  EXPECT_EQ(questions, 0);
}

TEST_F(PlanRoute, GuardedAdapterNeedsMusa) {
  const Plan served = plan_route(row(Decision::kAdapter, 1), 0);
  EXPECT_EQ(served.address, &adapters[2]);
  EXPECT_EQ(served.guard, 1);
  EXPECT_EQ(targets_sought, 0U);
  lacks_musa();
  EXPECT_EQ(plan_route(row(Decision::kAdapter, 1), 0).failure, FailureKind::kNoBackend);
}

TEST_F(PlanRoute, RefusedByItsRow) {
  lacks_function();  // No function is sought.
  const Plan unsupported = plan_route(row(Decision::kUnsupported), 0);
  EXPECT_EQ(unsupported.outcome, Plan::kRefused);
  EXPECT_EQ(unsupported.failure, FailureKind::kUnsupported);
  EXPECT_STREQ(unsupported.reason, "reason");
  EXPECT_EQ(targets_sought, 0U);
  const Plan no_image = plan_route(row(Decision::kNoImage), 0);
  EXPECT_EQ(no_image.failure, FailureKind::kNoImage);
  EXPECT_STREQ(no_image.reason, "reason");
  const Plan guarded = plan_route(row(Decision::kNoImage, 1), 0);
  EXPECT_EQ(guarded.outcome, Plan::kServed);
  EXPECT_EQ(guarded.address, nullptr);
  EXPECT_EQ(guarded.guard, 1);
}

TEST_F(PlanRoute, NoMusaComesBeforeEveryOtherRefusal) {
  lacks_musa();
  in_backend.file = "/opt/musa/lib";
  for (const Decision decision : {Decision::kDirect, Decision::kUnsupported, Decision::kNoImage,
                                  Decision::kDirectOrAdapter}) {
    const Plan plan = plan_route(row(decision), 0);
    EXPECT_EQ(plan.outcome, Plan::kRefused);
    EXPECT_EQ(plan.failure, FailureKind::kNoBackend);
    EXPECT_STREQ(plan.file, "/opt/musa/lib");
  }
}

TEST_F(PlanRoute, Disabled) {
  is_disabled = true;
  const Plan plan = plan_route(row(Decision::kDirect, 1), kDisable);
  EXPECT_EQ(plan.outcome, Plan::kRefused);
  EXPECT_EQ(plan.failure, FailureKind::kUnsupported);
  EXPECT_STREQ(plan.reason, "disabled by TORCHADA_DISABLE");
  EXPECT_EQ(plan.guard, 0);
  EXPECT_EQ(plan_route(row(Decision::kAdapter), kDisable).outcome, Plan::kRefused);
  EXPECT_EQ(plan_route(row(Decision::kInternal), kDisable).outcome, Plan::kServed);
  EXPECT_EQ(plan_route(row(Decision::kDirect), 0).outcome, Plan::kServed) << "not requested";
  in_override = {Lookup::kFound, &adapters[0], "mine.so", nullptr, true};
  EXPECT_EQ(plan_route(row(Decision::kDirect), kDisable | kOverride).outcome, Plan::kRefused);
}

TEST_F(PlanRoute, OverrideWins) {
  in_override = {Lookup::kFound, &adapters[0], "mine.so", nullptr, false};
  const Plan plan = plan_route(row(Decision::kUnsupported, 1), kOverride);
  EXPECT_EQ(plan.outcome, Plan::kServed);
  EXPECT_EQ(plan.address, &adapters[0]);
  EXPECT_EQ(plan.guard, 0);
  EXPECT_FALSE(plan.settled);
  EXPECT_STREQ(plan.target, "cuda");
  EXPECT_STREQ(plan.file, "mine.so");
  EXPECT_EQ(questions, 0);
  EXPECT_EQ(plan_route(row(Decision::kInternal), kOverride).address, &function_of_musa);
}

TEST_F(PlanRoute, AfterTheEndNothingLeadsToMusa) {
  has_ended = true;
  for (const Decision decision :
       {Decision::kDirect, Decision::kInternal, Decision::kDirectOrAdapter}) {
    const Plan plan = plan_route(row(decision), 0);
    EXPECT_EQ(plan.outcome, Plan::kFailsInSilence);
    EXPECT_EQ(plan.failure, FailureKind::kForked);
    EXPECT_TRUE(plan.settled);
  }
  EXPECT_EQ(questions, 0);
  EXPECT_EQ(plan_route(row(Decision::kAdapter), 0).outcome, Plan::kServed);
}

}  // namespace

// The three questions of plan.cpp.
Lookup find_in_backend(BackendLibrary library, const Target* targets, unsigned count, const char*) {
  ++questions;
  if (targets == &kTargets[2]) {
    EXPECT_EQ(library, BackendLibrary::kMublas);
    return of_need;
  }
  targets_sought = count;
  Lookup found = in_backend;
  if (count == 0 && found.result == Lookup::kFound) found.result = Lookup::kMissing;
  return found;
}
Lookup find_in_override(const char*) { return in_override; }
bool disabled(const char* name) { return is_disabled && strcmp(name, "cuda") == 0; }
bool is_over(const Symbol&, FailureKind* why) {
  if (has_ended) *why = FailureKind::kForked;
  return has_ended;
}
bool is_cut_off() { return has_been_cut_off; }

extern "C" const Library torchada_library = {
    .soname = "libplan.so",
    .strings = kStrings,
    .symbols = kSymbols,
    .targets = kTargets,
    .adapters = kAdapters,
    .abi = 13,
    .needs = needs,
    .need_count = 2,
};

}  // namespace torchada

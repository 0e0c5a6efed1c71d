// The ways to muFFT that rows share (`via` in mappings/forward/cufft.yaml). Each gets what CUDA
// documents about the arguments, or null.
#pragma once

#include "stubs/adapting/passed.h"
#include "stubs/cufft/create.h"
#include "stubs/cufft/make_plan.h"
#include "stubs/cufft/types.h"
#include "stubs/cufft/with_plan.h"
#include "stubs/reporting/fallback.h"

namespace torchada::via {

// The arguments that the ways look at.
struct PlanNumber {
  int number;
  explicit operator int64_t() const { return number; }
};

struct PlanPlace {
  void* number;
  explicit operator int64_t() const { return condition_argument(number); }
};

struct Type {
  int number;
  explicit operator int64_t() const { return number; }
};

struct DataType {
  int number;
  explicit operator int64_t() const { return number; }
};

struct Bytes {
  void* place;
  explicit operator int64_t() const { return condition_argument(place); }
};

// Makes MUSA's number of a type; any other argument stays as it is. False if there is none.
inline bool convert(Type& type) { return cufft::type_to_musa(type.number, &type.number); }
inline bool convert(DataType& type) { return cufft::data_type_to_musa(type.number, &type.number); }
template <typename Other>
bool convert(const Other&) {
  return true;
}

inline bool has_place(const Bytes& bytes) { return bytes.place != nullptr; }
template <typename Other>
bool has_place(const Other&) {
  return true;
}

// What is asked after a failure.
template <typename... Given>
auto asked_of(const uint8_t* conditions, Given... given) {
  return [=] { return conditions ? documented_status(conditions, given...) : 0; };
}

// A function that uses a plan.
template <typename... Taken, typename... Given>
int plan(const Function& function, const uint8_t* conditions, int (*call)(void*, Taken...),
         PlanNumber plan, Given... given) {
  return cufft::with_plan(
      function, plan.number, [&](void* musa) { return call(musa, passed<Taken>(given)...); },
      asked_of(conditions, plan, given...));
}

// The same for one that writes the bytes of a work area. cuFFT looks at the type first, then at
// that place, then at the plan.
template <typename... Taken, typename... Given>
int sized(const Function& function, const uint8_t* conditions, int (*call)(void*, Taken...),
          PlanNumber plan, Given... given) {
  const auto asked = asked_of(conditions, plan, given...);
  if (!(convert(given) && ...)) return fail(static_cast<int>(cuda::CUFFT_INVALID_TYPE));
  if (!(has_place(given) && ...)) return fail(kInvalid);
  return cufft::with_plan(
      function, plan.number, [&](void* musa) { return call(musa, passed<Taken>(given)...); },
      asked);
}

// The same for one that makes the plan.
template <typename... Taken, typename... Given>
int made(const Function& function, const uint8_t* conditions, int (*call)(void*, Taken...),
         PlanNumber plan, Given... given) {
  return cufft::made(plan.number, sized(function, conditions, call, plan, given...));
}

// The same for one that looks at the sizes first.
template <typename... Taken, typename... Given>
int made_many(const Function& function, const uint8_t* conditions, int (*call)(void*, Taken...),
              PlanNumber plan, int rank, void* n, Given... given) {
  if (rank < 1 || !n) return fail(kInvalid);
  return made(function, conditions, call, plan, rank, n, given...);
}

// A function that creates a plan, and makes it if it takes what a transform is.
template <typename... Taken, typename... Given>
int created(const Function& function, const uint8_t* conditions, int (*call)(void**, Taken...),
            PlanPlace place, Given... given) {
  const auto asked = asked_of(conditions, place, given...);
  int* const number = static_cast<int*>(place.number);
  if (!(convert(given) && ...) && number && has_backend()) {
    return fail(static_cast<int>(cuda::CUFFT_INVALID_TYPE));
  }
  return cufft::add(
      function, number, sizeof...(given) != 0,
      [&](void** musa) { return call(musa, passed<Taken>(given)...); }, asked);
}

}  // namespace torchada::via

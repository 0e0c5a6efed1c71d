// Barriers of threads that arrive first and wait later.
#pragma once
#define _CUDA_AWBARRIER_PRIMITIVES_H_  // of a toolkit's own header
#include "torchada_device.h"
#include "torchada_mbarrier.h"

typedef torchada::Barrier __mbarrier_t;
typedef torchada::Barrier __mbarrier_token_t;

TORCHADA_BOTH unsigned int __mbarrier_maximum_count() { return torchada::kArrivals; }
TORCHADA_DEVICE void __mbarrier_init(__mbarrier_t* barrier, unsigned int count) {
  *barrier = torchada::new_barrier(count);
}
TORCHADA_DEVICE void __mbarrier_inval(__mbarrier_t*) {}
TORCHADA_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return torchada::count_at(barrier, 1, 0, 0);
}
TORCHADA_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return torchada::count_at(barrier, 1, 1, 0);
}
TORCHADA_DEVICE unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return torchada::pending_arrivals(token);
}
TORCHADA_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return torchada::phase_ended(barrier, parity);
}
TORCHADA_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return torchada::phase_ended(barrier, torchada::parity(token));
}
TORCHADA_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, unsigned int) {
  return torchada::try_phase_ended(barrier, parity);
}
TORCHADA_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                         unsigned int) {
  return torchada::try_phase_ended(barrier, torchada::parity(token));
}

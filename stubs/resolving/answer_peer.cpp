#include "stubs/loading/environment_map.h"
#include "stubs/loading/injection.h"
#include "stubs/loading/opening.h"
#include "stubs/process/peers.h"
#include "stubs/resolving/lifetime.h"
#include "stubs/resolving/observed.h"
#include "stubs/system/thread.h"
#include "stubs/system/unfinished.h"

using namespace torchada;

extern "C" int32_t torchada_answer_peer(int32_t question, void* subject) {
  switch (question) {
    case kIsOpening:
      return is_opening_here() ? kYes : kNo;
    case kCanMapEnvironment:
      return kYes;
    case kIsCutOff:
      return was_cut_off() ? kYes : kNo;
    case kTakeOpeningToTell:
      return take_opening_to_tell() ? kYes : kNo;
    case kEndsAtFork:
      return ends_at_fork() ? kYes : kNo;
    case kEndAtFork:
      end_here_at_fork();
      return kNo;  // So that the next library is told too.
    case kBlasHandleIsMade:
    case kBlasHandleEnds:
      if (torchada_hear_of_blas_handle) {
        torchada_hear_of_blas_handle(subject, question == kBlasHandleIsMade);
      }
      return kNo;  // So that another major is told too.
    case kHasLibraries:
      return torchada_answer_of_library ? kYes : kNo;
    case kOfLibrary:
      return torchada_answer_of_library(static_cast<OfLibrary*>(subject)) ? kYes : kNo;
    case kCallsAreObserved:
      return is_observed(observed_epoch()) ? kYes : kNo;
    case kObserveCalls:
      observe_here(subject != nullptr);
      return kNo;  // So that the next library is told too.
    case kNamesKernels:
      return torchada_answer_name_of_kernel ? kYes : kNo;
    case kNameKernel:
      return torchada_answer_name_of_kernel(static_cast<NamedKernel*>(subject)) ? kYes : kNo;
    case kInject:
      inject_here();
      return kYes;
    case kMapEnvironment:
      map_environment();
      return kYes;
    case kMapVisibleDevices:
      map_visible_devices();
      return kYes;
    case kIsOver: {
      FailureKind why;
      if (!is_over_here(&why)) return kNo;
      return why == FailureKind::kForked ? kAfterFork : kAfterExit;
    }
    default:
      return kNo;
  }
}

#include "stubs/thread.h"

namespace torchada {

thread_local Thread torchada_thread;

}  // namespace torchada

// Another library of the backend. As C++ libraries do, it takes itself apart when the process
// exits: the handler is registered by its constructor, which runs long after the runtime was
// opened.
#include <dlfcn.h>
#include <stdlib.h>

namespace {

bool is_gone = false;

void destroy() {
  is_gone = true;
  using Hook = void (*)();
  const auto hook = reinterpret_cast<Hook>(dlsym(RTLD_DEFAULT, "probe_test_when_sibling_is_gone"));
  if (hook) hook();
}

__attribute__((constructor)) void construct() { atexit(destroy); }

}  // namespace

extern "C" int back_sibling() { return is_gone ? -1 : 7; }

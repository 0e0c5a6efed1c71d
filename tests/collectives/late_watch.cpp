// To be preloaded: delays every thread that starts to watch another rank, as a busy machine would.
#include <dlfcn.h>
#include <sys/epoll.h>
#include <unistd.h>

extern "C" int epoll_ctl(int poller, int operation, int descriptor, epoll_event* event) noexcept {
  static const auto real = reinterpret_cast<decltype(&epoll_ctl)>(dlsym(RTLD_NEXT, "epoll_ctl"));
  const int result = real(poller, operation, descriptor, event);
  if (operation == EPOLL_CTL_ADD) usleep(200000);
  return result;
}

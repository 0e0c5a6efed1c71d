// To be preloaded: makes the process that made an id slow between the messages of one byte by which
// it tells the ranks that all have met.
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>

extern "C" ssize_t send(int socket, const void* data, std::size_t size, int flags) {
  static const auto real = reinterpret_cast<decltype(&send)>(dlsym(RTLD_NEXT, "send"));
  const ssize_t result = real(socket, data, size, flags);
  if (size == 1 && *static_cast<const char*>(data) == 'B') usleep(50000);
  return result;
}

// Asks Python through the public functions of its C interface, which are looked up in the process,
// whatever its version. Python objects are plain pointers here.
#include "src/companion/python_stack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <memory>
#include <vector>

namespace torchada {
namespace {

constexpr int kSecondsForLock = 2;
constexpr std::size_t kMostFrames = 100;

template <typename Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct Python {
  int (*is_initialized)() = find<int()>("Py_IsInitialized");
  int (*is_finalizing)() = find<int()>("Py_IsFinalizing");    // From 3.13 on,
  int (*was_finalizing)() = find<int()>("_Py_IsFinalizing");  // and before.
  int (*holds_lock)() = find<int()>("PyGILState_Check");
  int (*take_lock)() = find<int()>("PyGILState_Ensure");
  void (*give_lock)(int) = find<void(int)>("PyGILState_Release");
  void* (*own_thread)() = find<void*()>("PyGILState_GetThisThreadState");
  void* (*frame_of_thread)(void*) = find<void*(void*)>("PyThreadState_GetFrame");  // From 3.9 on.
  void* (*attribute)(void*,
                     const char*) = find<void*(void*, const char*)>("PyObject_GetAttrString");
  void* (*encoded)(void*, const char*, const char*) =
      find<void*(void*, const char*, const char*)>("PyUnicode_AsEncodedString");
  char* (*bytes)(void*) = find<char*(void*)>("PyBytes_AsString");
  long (*number)(void*) = find<long(void*)>("PyLong_AsLong");
  void (*forget)(void*) = find<void(void*)>("Py_DecRef");
  void (*clear_error)() = find<void()>("PyErr_Clear");
  // The last resort: needs no lock, but is not a public function.
  void (*dump)(int, void*) = find<void(int, void*)>("_Py_DumpTraceback");

  bool ends() const {
    return (is_finalizing && is_finalizing()) || (was_finalizing && was_finalizing());
  }
  bool can_walk() const {
    return frame_of_thread && attribute && encoded && bytes && number && forget && clear_error;
  }
};

// Walks Python's frames; the caller holds Python's lock.
class Walk {
 public:
  explicit Walk(const Python& python) : python_(python) {}

  std::vector<std::string> lines(void* thread) const {
    std::vector<std::string> out;
    Object frame = own(python_.frame_of_thread(thread));
    while (frame && out.size() < kMostFrames) {
      const Object code = get(frame, "f_code");
      out.push_back(fmt::format("  File \"{}\", line {}, in {}", text(get(code, "co_filename")),
                                number(get(frame, "f_lineno")), text(get(code, "co_name"))));
      frame = get(frame, "f_back");
      // The last frame is None, which has no code.
      if (frame && !get(frame, "f_code")) frame.reset();
    }
    if (frame) out.emplace_back("  ...");
    return out;
  }

 private:
  using Object = std::shared_ptr<void>;

  Object own(void* object) const {
    if (!object) python_.clear_error();
    return {object, [this](void* held) {
              if (held) python_.forget(held);
            }};
  }
  Object get(const Object& object, const char* name) const {
    return object ? own(python_.attribute(object.get(), name)) : own(nullptr);
  }
  long number(const Object& object) const {
    const long out = object ? python_.number(object.get()) : -1;
    if (out < 0) python_.clear_error();
    return out;
  }
  std::string text(const Object& object) const {
    if (!object) return "?";
    const Object bytes = own(python_.encoded(object.get(), "utf-8", "backslashreplace"));
    const char* out = bytes ? python_.bytes(bytes.get()) : nullptr;
    return out ? out : "?";
  }

  const Python& python_;
};

// Work for another thread, which may wait for the lock forever. So nothing of it may be on the
// stack of the thread that asked.
struct Errand {
  Python python;
  void* thread = nullptr;
  std::vector<std::string> lines;
  sem_t done{};
};

void* run_errand(void* data) {
  auto* errand = static_cast<Errand*>(data);
  const int state = errand->python.take_lock();
  errand->lines = Walk(errand->python).lines(errand->thread);
  errand->python.give_lock(state);
  sem_post(&errand->done);
  return nullptr;
}

// In another thread, because waiting for the lock cannot be aborted. False if the lock does not
// come in time.
bool walk_from_outside(const Python& python, void* thread, std::vector<std::string>* lines) {
  // Never freed: the other thread may finish late.
  auto* errand = new Errand{python, thread, {}, {}};
  sem_init(&errand->done, 0, 0);
  pthread_t other;
  if (pthread_create(&other, nullptr, run_errand, errand) != 0) return false;
  pthread_detach(other);
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += kSecondsForLock;
  int status = 0;
  do status = sem_timedwait(&errand->done, &until);
  while (status != 0 && errno == EINTR);
  if (status == 0) *lines = errand->lines;
  return status == 0;
}

}  // namespace

void say_python_stack(const SayLine& say) {
  const Python python;
  if (!python.is_initialized || !python.is_initialized()) return;
  if (!python.own_thread || !python.holds_lock || !python.take_lock || !python.give_lock) return;
  if (python.ends()) return say("Python call stack not available: Python is shutting down");
  void* const thread = python.own_thread();
  if (!thread) return say("this thread runs no Python function");
  std::vector<std::string> lines;
  bool walked = false;
  if (python.can_walk()) {
    if (python.holds_lock()) {
      lines = Walk(python).lines(thread);
      walked = true;
    } else {
      walked = walk_from_outside(python, thread, &lines);
    }
  }
  if (walked) {
    say(lines.empty() ? "this thread runs no Python function"
                      : "Python call stack, innermost first:");
    for (const std::string& line : lines) say(line);
  } else if (python.dump) {
    say("Python call stack, written by Python without its lock (GIL):");
    python.dump(STDERR_FILENO, thread);
  } else {
    say("Python call stack not available: another thread holds Python's lock (GIL)");
  }
}

}  // namespace torchada

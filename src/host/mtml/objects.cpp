#include "src/host/mtml/objects.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <set>
#include <type_traits>

#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace mtml {
namespace {

template <typename Object>
struct Objects {
  std::array<Object, musa::kMaxDevices> each;
  std::array<unsigned int, musa::kMaxDevices> opened{};
  std::array<bool, musa::kMaxDevices> known{};  // was opened since the library was

  // Where in `each` it is; nothing for any other pointer.
  std::optional<std::size_t> place(const Object* object) const {
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (object == &each[i] && known[i]) return i;
    }
    return std::nullopt;
  }
};

// A device answers after mtmlLibraryFreeDevice(), too, until the library is closed: a program for
// MUSA that its maker has a hand in counts on it (gpustack/runtime:
// gpustack_runtime/detector/mthreads.py at 18b9bab).
template <typename Object>
constexpr bool kAnswersWhenClosed = std::is_same_v<Object, MtmlDevice>;

struct State {
  std::mutex mutex;
  host::HandleNumbers<host::HandleKind::kManagement> library_numbers;
  std::set<std::uintptr_t> libraries;
  Objects<MtmlSystem> systems;
  Objects<MtmlDevice> devices;
  Objects<MtmlGpu> gpus;
  Objects<MtmlMemory> memories;
  Objects<MtmlVpu> vpus;

  Objects<MtmlSystem>& of(const MtmlSystem*) { return systems; }
  Objects<MtmlDevice>& of(const MtmlDevice*) { return devices; }
  Objects<MtmlGpu>& of(const MtmlGpu*) { return gpus; }
  Objects<MtmlMemory>& of(const MtmlMemory*) { return memories; }
  Objects<MtmlVpu>& of(const MtmlVpu*) { return vpus; }

  void close_all() {
    const auto close = [](auto& objects) {
      objects.opened = {};
      objects.known = {};
    };
    close(systems);
    close(devices);
    close(gpus);
    close(memories);
    close(vpus);
  }
};

// Never destroyed: threads may still ask while the process exits.
State& state() { return host::never_destroyed<State>(); }

std::uintptr_t number(const MtmlLibrary* library) {
  return reinterpret_cast<std::uintptr_t>(library);
}

}  // namespace

std::mutex& objects_mutex() { return state().mutex; }

MtmlReturn open_library(MtmlLibrary** library) {
  State& known = state();
  const std::lock_guard lock(known.mutex);
  const std::uintptr_t opened = known.library_numbers.next();
  known.libraries.insert(opened);
  *library = reinterpret_cast<MtmlLibrary*>(opened);
  return MTML_SUCCESS;
}

MtmlReturn close_library(const MtmlLibrary* library) {
  State& known = state();
  const std::lock_guard lock(known.mutex);
  if (known.libraries.erase(number(library)) == 0) return MTML_ERROR_INVALID_ARGUMENT;
  if (known.libraries.empty()) known.close_all();
  return MTML_SUCCESS;
}

bool is_open(const MtmlLibrary* library) {
  State& known = state();
  const std::lock_guard lock(known.mutex);
  return known.libraries.contains(number(library));
}

template <typename Object>
Object* open(int index) {
  State& known = state();
  const std::lock_guard lock(known.mutex);
  auto& objects = known.of(static_cast<Object*>(nullptr));
  const auto place = static_cast<std::size_t>(index);
  ++objects.opened[place];
  objects.known[place] = true;
  return &objects.each[place];
}

template <typename Object>
bool close(const Object* object) {
  State& known = state();
  const std::lock_guard lock(known.mutex);
  auto& objects = known.of(object);
  const auto place = objects.place(object);
  if (!place || objects.opened[*place] == 0) return false;
  --objects.opened[*place];
  return true;
}

template <typename Object>
std::optional<int> index_of(const Object* object) {
  State& known = state();
  const std::lock_guard lock(known.mutex);
  const auto& objects = known.of(object);
  const auto place = objects.place(object);
  if (!place || (objects.opened[*place] == 0 && !kAnswersWhenClosed<Object>)) return std::nullopt;
  return static_cast<int>(*place);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be put in parentheses.
#define OBJECT(Type)                      \
  template Type* open<Type>(int);         \
  template bool close<Type>(const Type*); \
  template std::optional<int> index_of<Type>(const Type*);
// NOLINTEND(bugprone-macro-parentheses)
OBJECT(MtmlSystem)
OBJECT(MtmlDevice)
OBJECT(MtmlGpu)
OBJECT(MtmlMemory)
OBJECT(MtmlVpu)
#undef OBJECT

}  // namespace mtml

#include "stubs/kernels/code.h"

#include <elf.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "facts.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/kernels/on_demand.h"
#include "stubs/reporting/log.h"
#include "stubs/system/fork_safe_lock.h"
#include "stubs/system/mapped_memory.h"
#include "stubs/system/system_call.h"

namespace torchada::kernels {
namespace {

struct Name {
  const char* text;    // Never moves: programs get it, too.
  const char* source;  // Never moves. Empty if it is not known.
  Origin origin;       // Without the source.
  size_t own;          // Not 0: for one place alone, because a later module may have its address.
  uint32_t hash;
  Kind kind;
  bool told;  // A line says that several libraries have it.
  const void* host;
  bool recorded;
  size_t made;          // Of an image that was made for it, one more than its place in `made`.
  const char* failure;  // Why none could be made. Never moves. Null if none was asked for.
  int64_t process;      // Whose thread waits for it to be made; 0 if none does.
  int64_t thread;
};

enum class State : uint8_t { kUnknown, kMissing, kPresent };

struct Entry {
  void* function;
  unsigned long long address;
  size_t bytes;
  State state;
};

struct Module {
  void* handle;  // Null if it could not be loaded.
  bool tried;
  bool tells_sources;
};

struct Context {
  const void* handle;
  MappedArray<Module> modules;  // By the number of the file. Ends behind the last that was tried.
  MappedArray<Entry> entries;   // By the number of the name.
};

// A place in `functions`, by MUSA's handle. The number is 0 where nothing is.
struct Function {
  const void* handle;
  uint32_t number;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char* text_room;  // For further names.
size_t text_left;
MappedArray<Name> names;
MappedArray<uint32_t> index;  // Numbers of names, by hash; 0 where nothing is.
MappedArray<Context> contexts;
MappedArray<Function> functions;
size_t function_count;
MappedArray<bool> told_files;  // Files that could not be loaded, each told once.
// Paths of the images that were made on demand. As files, their numbers follow those of files.h.
// They serve only names for which they were made.
MappedArray<const char*> made;

using Lock = ForkSafeLock<mutex>;

uint32_t hash_of(const char* text, Kind kind) {
  uint32_t hash = 2166136261U ^ static_cast<uint32_t>(kind);
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 16777619U;
  return hash;
}

uint32_t hash_of(const void* handle) {
  const auto bits = reinterpret_cast<uintptr_t>(handle) * 0x9e3779b97f4a7c15U;
  return static_cast<uint32_t>(bits >> 32);
}

const Name& name_of(uint32_t number) { return names[number - 1]; }

// A copy for the lifetime of the process. Null without memory.
const char* keep_text(const char* text) {
  const size_t length = strlen(text) + 1;
  if (length > text_left) {
    constexpr size_t kPiece = 65536;
    const size_t bytes = length < kPiece ? kPiece : length;
    void* const piece =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return nullptr;
    text_room = static_cast<char*>(piece);
    text_left = bytes;
  }
  char* const kept = text_room;
  memcpy(kept, text, length);
  text_room += length;
  text_left -= length;
  return kept;
}

// The place of the name in the index, or of the gap where it belongs.
uint32_t& place_of(const Name& wanted) {
  const size_t mask = index.size() - 1;
  for (size_t at = wanted.hash & mask;; at = (at + 1) & mask) {
    uint32_t& place = index[at];
    if (place == 0) return place;
    const Name& name = name_of(place);
    if (name.hash == wanted.hash && name.kind == wanted.kind && name.own == wanted.own &&
        strcmp(name.text, wanted.text) == 0 && strcmp(name.source, wanted.source) == 0) {
      return place;
    }
  }
}

// Makes room for one more name. At least half of the index stays empty.
bool reserve_name() {
  if ((names.size() + 1) * 2 <= index.size()) return true;
  const size_t wanted = index.size() == 0 ? 1024 : index.size() * 2;
  MappedArray<uint32_t> larger;
  if (!larger.resize(wanted)) return false;
  index.release();
  index = larger;
  for (uint32_t number = 1; number <= names.size(); ++number) {
    place_of(name_of(number)) = number;
  }
  return true;
}

Function& place_of(const void* handle) {
  const size_t mask = functions.size() - 1;
  for (size_t at = hash_of(handle) & mask;; at = (at + 1) & mask) {
    Function& place = functions[at];
    if (place.number == 0 || place.handle == handle) return place;
  }
}

// Without memory the handle is not noted.
void note_function(const void* handle, uint32_t number) {
  if ((function_count + 1) * 2 > functions.size()) {
    MappedArray<Function> smaller = functions;
    functions = {};
    if (!functions.resize(smaller.size() == 0 ? 1024 : smaller.size() * 2)) {
      functions = smaller;
      return;
    }
    for (const Function& function : smaller) {
      if (function.number != 0) place_of(function.handle) = function;
    }
    smaller.release();
  }
  Function& place = place_of(handle);
  if (place.number == 0) ++function_count;
  place = {handle, number};
}

// Null without memory.
Context* context_of(const void* handle) {
  for (Context& context : contexts) {
    if (context.handle == handle) return &context;
  }
  return contexts.add({handle, {}, {}}) ? &contexts[contexts.size() - 1] : nullptr;
}

// Makes room for a number in an array.
template <typename T>
bool reach(MappedArray<T>* array, size_t number) {
  return number < array->size() || array->resize(number + 1);
}

// Where a context keeps the module of a file. Null without memory.
Module* place_of_module(const void* handle, size_t number) {
  Context* const context = context_of(handle);
  return context && reach(&context->modules, number) ? &context->modules[number] : nullptr;
}

const char* path_of(size_t number) {
  if (number < file_count()) return file(number);
  const Lock hold;
  return made[number - file_count()];
}

// Null without memory.
Entry* entry_of(const void* handle, uint32_t number) {
  Context* const context = context_of(handle);
  if (!context) return nullptr;
  if (context->entries.size() <= number && !context->entries.resize(names.size() + 1)) {
    return nullptr;
  }
  return &context->entries[number];
}

TORCHADA_APART void say_not_loaded(size_t number, int status) {
  {
    const Lock hold;
    if (!reach(&told_files, number) || told_files[number]) return;
    told_files[number] = true;
  }
  const char* name = nullptr;
  if (muGetErrorName(status, &name) != 0 || !name) name = "an error that MUSA does not name";
  Line line;
  line << path_of(number) << ": MUSA cannot load this kernel library: " << name << " (" << status
       << "); it is left out";
  log(LogLevel::kWarn, line);
}

// A line that begins with a kernel's or a variable's name.
struct NameLine : Line {
  explicit NameLine(const char* name) {
    Text<400> shown;
    shown << name;
    *this << shown.c_str() << (shown.truncated() ? "..." : "");
  }
};

// Several libraries may serve a name, which is told once.
bool is_told(uint32_t number) {
  const Lock hold;
  const bool was_told = names[number - 1].told;
  names[number - 1].told = true;
  return was_told;
}

TORCHADA_APART void say_double(uint32_t number, const char* name, size_t first, size_t second) {
  if (is_told(number)) return;
  NameLine line(name);
  line << " is in " << file(first) << ", which is used, and in " << file(second);
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_ambiguous(uint32_t number, const Name& name, size_t first, size_t second) {
  if (is_told(number)) return;
  NameLine line(name.text);
  line << (name.kind == Kind::kKernel ? " is a static kernel in both "
                                      : " is a static variable in both ")
       << file(first) << " and " << file(second) << ", so neither is used; name only one of them";
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_doubtful(uint32_t number, const Name& name, size_t only) {
  if (is_told(number)) return;
  NameLine line(name.text);
  line << (name.kind == Kind::kKernel ? " is a static kernel in " : " is a static variable in ")
       << file(only)
       << ", but the program does not tell whether it is from the same source, so it is not used";
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_taken(const char* name, size_t number) {
  NameLine line(name);
  line << " is taken from " << path_of(number);
  log(LogLevel::kDebug, line);
}

// MUSA's numbers, which are CUDA's.
constexpr int kInvalidHandle = 400;
constexpr int kThreadsPerBlock = musa::MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;

// What an earlier kernel did to the context. MUSA's numbers are CUDA's here, too.
bool is_sticky(int status) { return status >= 700 && status < 800; }

// Whether an image is the stand-in's: a shared object of this machine. MUSA's are of its own.
bool tells_sources(const char* path) {
  Elf64_Ehdr header;
  uint64_t size = 0;
  bool is_other = false;
  const int file = open_regular(path, &size, &is_other);
  if (file < 0) return false;
  const bool is_read = pread(file, &header, sizeof header, 0) == ssize_t{sizeof header};
  close(file);
  constexpr Elf64_Half kMusaMachine = 253;
  return is_read && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_machine != kMusaMachine;
}

int load(size_t number, void** out) {
  const char* const path = path_of(number);
  if (number < file_count()) return muModuleLoad(out, path);
  // The program does not expect it here: it may be capturing a stream.
  int mode = musa::musaStreamCaptureModeRelaxed;
  const bool is_exchanged = musaThreadExchangeStreamCaptureMode(&mode) == 0;
  const int status = muModuleLoad(out, path);
  if (is_exchanged) musaThreadExchangeStreamCaptureMode(&mode);
  return status;
}

// The module of a file in the current context. None if it cannot be loaded; then `status` is set if
// no other can, either.
Module module_of(size_t number, const void* context, uint64_t seen, int* status) {
  {
    const Lock hold;
    const Module* const known = place_of_module(context, number);
    if (known && known->tried) return *known;
  }
  Module loaded{nullptr, true, tells_sources(path_of(number))};
  const int error = load(number, &loaded.handle);
  if (error != 0) {
    loaded.handle = nullptr;
    if (is_sticky(error)) {
      *status = error;
      return {};
    }
    say_not_loaded(number, error);
  }
  void* mine = nullptr;  // What another thread loaded first.
  {
    const Lock hold;
    Module* const known = forgotten_contexts == seen ? place_of_module(context, number) : nullptr;
    if (known && known->tried) {
      mine = loaded.handle;
      loaded = *known;
    } else if (known) {
      *known = loaded;
    }
  }
  if (mine) muModuleUnload(mine);
  return loaded;
}

// The context from which a search comes, and what `forgotten_contexts` was when it began.
struct Asker {
  const void* context;
  uint64_t seen;
};

int look_up(const char* name, Kind kind, const Module& module, Entry* out) {
  return kind == Kind::kKernel
             ? muModuleGetFunction(&out->function, module.handle, name)
             : muModuleGetGlobal_v2(&out->address, &out->bytes, module.handle, name);
}

struct Search {
  Entry entry{};
  unsigned hits = 0;
  size_t first = 0;  // Number of the file; so is `second`.
  size_t second = 0;
  Module module{};  // Of the first.
};

// Which images are asked.
enum class Whom : uint8_t { kAll, kThatTellSources, kThatTellNone };

struct Ask {
  Whom whom = Whom::kAll;
  size_t first = 0;  // Numbers of files, up to `end`.
  size_t end = file_count();
};
constexpr auto kAll = Whom::kAll;

// Asks the libraries for `name`. Returns MUSA's status if they cannot be asked.
int search(const char* name, const Name& wanted, const Ask& ask, const Asker& asker, Search* out) {
  for (size_t i = ask.first; i < ask.end; ++i) {
    int status = 0;
    const Module module = module_of(i, asker.context, asker.seen, &status);
    if (status != 0) return status;
    if (!module.handle) continue;
    if (ask.whom != kAll && module.tells_sources != (ask.whom == Whom::kThatTellSources)) continue;
    Entry found{nullptr, 0, 0, State::kPresent};
    status = look_up(name, wanted.kind, module, &found);
    if (says_not_found(status)) continue;
    if (status != 0) return status;
    if (out->hits++ == 0) {
      out->entry = found;
      out->first = i;
      out->module = module;
    } else if (out->hits == 2) {
      out->second = i;
    }
  }
  return 0;
}

// The same for each name that clang may have for one with internal linkage; `ending` is put behind
// it.
int search_internal(const Name& wanted, const char* ending, const Ask& ask, const Asker& asker,
                    Search* out) {
  const size_t room = room_for_clang_name(wanted.text);
  const size_t more = strlen(ending) + 2;
  const MappedMemory text(room + more);
  if (!text.data()) return 0;
  for (unsigned variant = 0; variant < kNameVariants; ++variant) {
    const size_t length = clang_name(wanted.text, variant, text.data(), room);
    if (length == 0) continue;
    if (*ending) {
      text.data()[length] = '@';
      memcpy(text.data() + length + 1, ending, more - 1);
    }
    if (const int status = search(text.data(), wanted, ask, asker, out)) return status;
  }
  return 0;
}

// Whether the module has a kernel of that name, whatever its linkage.
bool has_kernel(const Module& module, const char* name) {
  Entry found{};
  if (look_up(name, Kind::kKernel, module, &found) == 0) return true;
  const size_t room = room_for_clang_name(name);
  const MappedMemory text(room);
  for (unsigned variant = 0; text.data() && variant < kNameVariants; ++variant) {
    if (clang_name(name, variant, text.data(), room) == 0) continue;
    if (look_up(text.data(), Kind::kKernel, module, &found) == 0) return true;
  }
  return false;
}

// Of code with internal linkage whose source the program does not tell: whether a module may have
// it.
bool may_be_from(const Module& module, const Origin& origin) {
  if (origin.is_shared) return false;
  for (size_t i = 0; origin.kernel; ++i) {
    const char* const name = origin.kernel(origin.module, i);
    if (!name) break;
    if (!has_kernel(module, name)) return false;
  }
  return true;
}

// What has internal linkage and is not in an image that tells the source it should be from.
int search_without_source(uint32_t number, const Name& wanted, const Asker& asker, Search* out) {
  int status = search_internal(wanted, "", {Whom::kThatTellNone}, asker, out);
  const bool is_certain = out->hits != 0;
  if (status == 0 && !*wanted.source) {
    status = search_internal(wanted, "", {Whom::kThatTellSources}, asker, out);
  }
  if (status != 0 || out->hits != 1 || is_certain || may_be_from(out->module, wanted.origin)) {
    return status;
  }
  say_doubtful(number, wanted, out->first);
  *out = {};
  return 0;
}

// Keeps why no image can be made for a name.
void note_failure(uint32_t number, const char* reason) {
  const Lock hold;
  const char* const kept = keep_text(reason);
  names[number - 1].failure = kept ? kept : "there is no memory";
}

// Keeps the image that was made for a name. Returns one more than its place, or 0.
size_t note_made(uint32_t number, const char* path) {
  const Lock hold;
  size_t place = 0;
  while (place < made.size() && strcmp(made[place], path) != 0) ++place;
  if (place == made.size()) {
    const char* const kept = keep_text(path);
    if (!kept || !made.add(kept)) return 0;
  }
  return names[number - 1].made = place + 1;
}

// Grows with each answer. Threads wait for that.
uint32_t answers;

// Returns true if this thread shall ask for the name, and false when another one has asked. A child
// of fork() has no copy of that one, and a signal handler interrupts it.
bool begin_to_ask(uint32_t number) {
  const int64_t process = system_call(SYS_getpid), thread = system_call(SYS_gettid);
  for (;;) {
    uint32_t seen = 0;
    {
      const Lock hold;
      Name& name = names[number - 1];
      if (name.made != 0 || name.failure) return false;
      if (name.process != process || name.thread == thread) {
        name.process = process;
        name.thread = thread;
        return true;
      }
      seen = __atomic_load_n(&answers, __ATOMIC_ACQUIRE);
    }
    system_call(SYS_futex, &answers, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
  }
}

void end_asking(uint32_t number) {
  {
    const Lock hold;
    names[number - 1].process = 0;
    __atomic_fetch_add(&answers, 1, __ATOMIC_RELEASE);
  }
  system_call(SYS_futex, &answers, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
}

// Waits until the image for a name is made, if it can be.
void make(uint32_t number, const Name& wanted) {
  if (!*wanted.source) return note_failure(number, "the program does not tell its source");
  if (!begin_to_ask(number)) return;
  const Answer answer(wanted.source, wanted.kind, wanted.text);
  if (!answer.image() || note_made(number, answer.image()) == 0) {
    note_failure(number, answer.reason());
  }
  end_asking(number);
}

size_t made_for(uint32_t number) {
  const Lock hold;
  return name_of(number).made;
}

// Looks into the image that is made for the name, now or earlier.
int search_made(uint32_t number, const Name& wanted, const Asker& asker, Search* out) {
  if (wanted.made == 0 && !wanted.failure && is_made_on_demand()) make(number, wanted);
  const size_t place = made_for(number);
  if (place == 0) return 0;
  const size_t file = file_count() + place - 1;
  int status = search(wanted.text, wanted, {kAll, file, file + 1}, asker, out);
  if (status == 0 && out->hits == 0) {
    const Ask ask{Whom::kThatTellSources, file, file + 1};
    status = search_internal(wanted, wanted.source, ask, asker, out);
  }
  if (status == 0 && out->hits == 0) {
    const Ask ask{Whom::kThatTellNone, file, file + 1};
    status = search_internal(wanted, "", ask, asker, out);
  }
  if (status == 0 && out->hits == 0) note_failure(number, "the image that was made does not serve");
  return status;
}

// The name, whose request is recorded if this is the first.
Name name_to_search(uint32_t number) {
  Name wanted;
  {
    const Lock hold;
    wanted = name_of(number);
    names[number - 1].recorded = true;
  }
  if (!wanted.recorded && wanted.kind == Kind::kKernel && is_recorded()) {
    record(wanted.source, wanted.text);
  }
  return wanted;
}

int search_anew(uint32_t number, const Asker& asker, Entry* out) {
  const Name wanted = name_to_search(number);
  Search found;
  int status = 0;
  if (*wanted.source) {
    status = search_internal(wanted, wanted.source, {Whom::kThatTellSources}, asker, &found);
  }
  bool is_internal = found.hits != 0;
  if (status == 0 && found.hits == 0) {
    status = search(wanted.text, wanted, {}, asker, &found);
    if (found.hits > 1) say_double(number, wanted.text, found.first, found.second);
  }
  if (status == 0 && found.hits == 0) {
    is_internal = true;
    status = search_without_source(number, wanted, asker, &found);
  }
  if (status == 0 && found.hits == 0) {
    is_internal = false;
    status = search_made(number, wanted, asker, &found);
  }
  if (is_internal && found.hits > 1) {
    say_ambiguous(number, wanted, found.first, found.second);
    found = {};
  }
  if (status == 0 && found.hits != 0 && log_level() >= LogLevel::kDebug) {
    say_taken(wanted.text, found.first);
  }
  *out = found.entry;
  if (found.hits == 0) out->state = State::kMissing;
  return status;
}

// Only kernels are kept. A variable is asked for again: its address would not show that another
// library has ended the context.
void keep(uint32_t number, const void* context, uint64_t seen, const Entry& entry) {
  const Lock hold;
  if (forgotten_contexts != seen || name_of(number).kind != Kind::kKernel) return;
  Entry* const known = entry_of(context, number);
  if (!known) return;
  *known = entry;
  if (entry.function) note_function(entry.function, number);
}

}  // namespace

uint64_t forgotten_contexts;

uint32_t number_of(const char* text, Kind kind, const Origin& origin) {
  // What a name tells itself counts: nvcc's linker (-rdc=true) joins sources.
  const SourceName own = source_in(text);
  const SourceName& source = own.text ? own : origin.source;
  Text<kLongestSource> source_text;
  source_text.append(source.text ? source.text : "", source.length);
  Name name{};
  name.text = text;
  name.source = source_text.c_str();
  name.hash = hash_of(text, kind);
  name.kind = kind;
  if (source.length == 0) name.origin = origin;
  const Lock hold;
  if (name.origin.module) name.own = names.size() + 1;
  if (!reserve_name()) return 0;
  uint32_t& place = place_of(name);
  if (place != 0) return place;
  name.text = keep_text(text);
  name.source = source.length == 0 ? "" : keep_text(source_text.c_str());
  if (!name.text || !name.source || !names.add(name)) return 0;
  return place = static_cast<uint32_t>(names.size());
}

Code find(uint32_t number, void* context) {
  if (number == 0 || !(are_given() || is_recorded())) return {};
  file_count();  // Reads the list of files before any lock is held.
  for (bool is_second = false;; is_second = true) {
    Entry entry{};
    uint64_t seen = 0;
    {
      const Lock hold;
      if (const Entry* const known = entry_of(context, number)) entry = *known;
      seen = forgotten_contexts;
    }
    if (entry.state == State::kUnknown) {
      const int status = search_anew(number, {context, seen}, &entry);
      if (status == kInvalidHandle && !is_second) {
        forget(context);
        continue;
      }
      if (status != 0) return {status};
      keep(number, context, seen, entry);
    }
    return {0, entry.state == State::kPresent, entry.function, entry.address, entry.bytes};
  }
}

uint32_t number_of_function(const void* function) {
  // Most programs never have any, and the guard asks at every launch of MUSA's own kernels.
  if (!function || !knows_functions()) return 0;
  const Lock hold;
  return functions.size() != 0 ? place_of(function).number : 0;
}

bool knows_functions() { return __atomic_load_n(&function_count, __ATOMIC_RELAXED) != 0; }

void note_musas(const void* function, uint32_t number) {
  const Lock hold;
  note_function(function, number | kMusas);
}

const char* failure_of(uint32_t number) {
  const Lock hold;
  return (number & kMusas) == 0 ? name_of(number).failure : nullptr;
}

const char* text_of(uint32_t number) {
  const Lock hold;
  return name_of(number & ~kMusas).text;
}

void note_host(uint32_t number, const void* host) {
  const Lock hold;
  names[number - 1].host = host;
}

const void* host_of(uint32_t number) {
  const Lock hold;
  return (number & kMusas) == 0 ? name_of(number).host : nullptr;
}

void forget(const void* handle) {
  const Lock hold;
  __atomic_store_n(&forgotten_contexts, forgotten_contexts + 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i].handle != handle) continue;
    contexts[i].modules.release();
    contexts[i].entries.release();
    contexts[i] = contexts[contexts.size() - 1];
    contexts.remove_last();
    break;
  }
  MappedArray<Function> old = functions;
  functions = {};
  function_count = 0;
  for (const Function& function : old) {
    if ((function.number & kMusas) != 0) note_function(function.handle, function.number);
  }
  old.release();
  for (Context& context : contexts) {
    for (uint32_t number = 1; number < context.entries.size(); ++number) {
      const void* const function = context.entries[number].function;
      if (function) note_function(function, number);
    }
  }
}

bool forget_if_lost(int musa_status, const Code& code, const void* context) {
  // The invalid handle may also be the stream.
  void* function = nullptr;
  if (musa_status != kInvalidHandle || !code.function || give(code, &function) != kInvalidHandle) {
    return false;
  }
  forget(context);
  return true;
}

int give(const Code& code, void** out) {
  int threads = 0;
  const int status = muFuncGetAttribute(&threads, kThreadsPerBlock, code.function);
  if (status == 0) *out = code.function;
  return status;
}

}  // namespace torchada::kernels

#include "stubs/kernels/code.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "facts.h"
#include "stubs/fork_safe_lock.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/log.h"
#include "stubs/mapped_memory.h"

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
  MappedArray<Module> modules;  // By the number of the file.
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
  Context made{handle, {}, {}};
  if (!made.modules.resize(file_count()) || !contexts.add(made)) {
    made.modules.release();
    return nullptr;
  }
  return &contexts[contexts.size() - 1];
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
    if (!told_files.resize(file_count()) || told_files[number]) return;
    told_files[number] = true;
  }
  const char* name = nullptr;
  if (muGetErrorName(status, &name) != 0 || !name) name = "an error that MUSA does not name";
  Line line;
  line << file(number) << ": MUSA cannot load this kernel library: " << name << " (" << status
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
  line << " is taken from " << file(number);
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

// The module of a file in the current context. None if it cannot be loaded; then `status` is set if
// no other can, either.
Module module_of(size_t number, const void* context, uint64_t seen, int* status) {
  {
    const Lock hold;
    const Context* const known = context_of(context);
    if (known && known->modules[number].tried) return known->modules[number];
  }
  Module loaded{nullptr, true, tells_sources(file(number))};
  const int error = muModuleLoad(&loaded.handle, file(number));
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
    Context* const known = forgotten_contexts == seen ? context_of(context) : nullptr;
    if (known && known->modules[number].tried) {
      mine = loaded.handle;
      loaded = known->modules[number];
    } else if (known) {
      known->modules[number] = loaded;
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
enum class Ask : uint8_t { kAll, kThatTellSources, kThatTellNone };

// Asks the libraries for `name`. Returns MUSA's status if they cannot be asked.
int search(const char* name, const Name& wanted, Ask ask, const Asker& asker, Search* out) {
  for (size_t i = 0; i < file_count(); ++i) {
    int status = 0;
    const Module module = module_of(i, asker.context, asker.seen, &status);
    if (status != 0) return status;
    if (!module.handle) continue;
    if (ask != Ask::kAll && module.tells_sources != (ask == Ask::kThatTellSources)) continue;
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
int search_internal(const Name& wanted, const char* ending, Ask ask, const Asker& asker,
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
  int status = search_internal(wanted, "", Ask::kThatTellNone, asker, out);
  const bool is_certain = out->hits != 0;
  if (status == 0 && !*wanted.source) {
    status = search_internal(wanted, "", Ask::kThatTellSources, asker, out);
  }
  if (status != 0 || out->hits != 1 || is_certain || may_be_from(out->module, wanted.origin)) {
    return status;
  }
  say_doubtful(number, wanted, out->first);
  *out = {};
  return 0;
}

int search_anew(uint32_t number, const Asker& asker, Entry* out) {
  Name wanted;
  {
    const Lock hold;
    wanted = name_of(number);
  }
  Search found;
  int status = 0;
  if (*wanted.source) {
    status = search_internal(wanted, wanted.source, Ask::kThatTellSources, asker, &found);
  }
  bool is_internal = found.hits != 0;
  if (status == 0 && found.hits == 0) {
    status = search(wanted.text, wanted, Ask::kAll, asker, &found);
    if (found.hits > 1) say_double(number, wanted.text, found.first, found.second);
  }
  if (status == 0 && found.hits == 0) {
    is_internal = true;
    status = search_without_source(number, wanted, asker, &found);
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
  Name name{text, source_text.c_str(), {}, 0, hash_of(text, kind), kind, false, nullptr};
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
  // Reads the list of files before any lock is held.
  if (number == 0 || file_count() == 0) return {};
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

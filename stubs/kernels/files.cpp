#include "stubs/kernels/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/shared/folder_entry.h"
#include "src/shared/own_descriptor.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/on_demand.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/system/mapped_memory.h"
#include "stubs/system/mapped_path.h"
#include "stubs/system/system_call.h"

namespace torchada::kernels {
namespace {

constexpr const char* kVariable = "TORCHADA_KERNELS";

// Paths, as offsets in one text. One that cannot be used has a number of errno.
struct Entry {
  size_t path;
  int error;
};

struct List {
  MappedArray<Entry> files;
  MappedArray<Entry> missing;
  MappedArray<char> text;
};

void release(List* list) {
  list->files.release();
  list->missing.release();
  list->text.release();
}

// `to` is one of the list's two. Without memory the file is left out.
void add(List* list, MappedArray<Entry>* to, const char* path, int error) {
  const size_t at = list->text.size();
  const size_t length = strlen(path) + 1;
  if (!list->text.resize(at + length)) return;
  memcpy(&list->text[at], path, length);
  to->add({at, error});
}

bool is_regular(int folder, const FolderEntry& entry) {
  if (entry.type == DT_REG) return true;
  if (entry.type != DT_LNK && entry.type != DT_UNKNOWN) return false;
  // By the number of the call: glibc's own name for it is newer than the oldest supported glibc.
  struct stat status;
  const int64_t answer = system_call(SYS_newfstatat, folder, entry.name, &status);
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the kernel has written it.
  return answer == 0 && S_ISREG(status.st_mode);
}

// The files from number `first` on came in the order of the folder.
void sort_from(List* list, size_t first) {
  for (size_t i = first + 1; i < list->files.size(); ++i) {
    const Entry moved = list->files[i];
    size_t at = i;
    for (; at > first; --at) {
      const Entry& before = list->files[at - 1];
      if (strcmp(&list->text[before.path], &list->text[moved.path]) <= 0) break;
      list->files[at] = before;
    }
    list->files[at] = moved;
  }
}

void add_folder(List* list, int folder, const MappedPath& path) {
  const MappedMemory buffer(size_t{1} << 15);
  const size_t first = list->files.size();
  int64_t read = 0;
  while (buffer.data() &&
         (read = system_call(SYS_getdents64, folder, buffer.data(), uint64_t{1} << 15)) > 0) {
    for (int64_t at = 0; at < read;) {
      const auto& entry = *reinterpret_cast<const FolderEntry*>(buffer.data() + at);
      at += entry.size;
      if (entry.name[0] == '.' || !is_regular(folder, entry)) continue;
      MappedPath whole;
      whole << path.c_str() << "/" << entry.name;
      if (!whole.truncated()) add(list, &list->files, whole.c_str(), 0);
    }
  }
  sort_from(list, first);
}

void add_named(List* list, const MappedPath& named) {
  MappedPath path;
  if (named.truncated() || !path.resolve(named.c_str())) {
    return add(list, &list->missing, named.c_str(), named.truncated() ? ENAMETOOLONG : errno);
  }
  const int folder =
      above_standard(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
  if (folder >= 0) {
    add_folder(list, folder, path);
    close(folder);
  } else if (errno == ENOTDIR && access(path.c_str(), R_OK) == 0) {
    add(list, &list->files, path.c_str(), 0);
  } else {
    add(list, &list->missing, named.c_str(), errno);
  }
}

void read(List* list, const char* names) {
  MappedPath named;
  while (*names) {
    const size_t length = strcspn(names, ":");
    named.clear();
    named.append(names, length);
    if (length > 0) add_named(list, named);
    names += length;
    names += *names == ':';
  }
}

TORCHADA_APART void say_missing(const List& list, const Entry& entry) {
  Line line;
  line << kVariable << ": " << &list.text[entry.path];
  if (entry.error == ENOENT) {
    line << ": no such file or folder";
  } else {
    line << " cannot be read (error " << entry.error << ")";
  }
  line << "; it is left out";
  log(LogLevel::kWarn, line);
}

// Null until it is read. Threads that race read it twice, and one publishes its own: no lock is
// held while files are read and lines are printed.
List* published;

const List* list() {
  List* known = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
  if (known) return known;
  MappedArray<List> memory;
  if (!memory.resize(1)) return nullptr;
  List* const own = memory.begin();
  if (const char* const names = environment(kVariable)) read(own, names);
  if (!__atomic_compare_exchange_n(&published, &known, own, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    release(own);
    memory.release();
    return known;
  }
  for (size_t i = 0; i < own->missing.size(); ++i) say_missing(*own, own->missing[i]);
  return own;
}

enum : int { kNotAsked, kNone, kGiven };
int given = kNotAsked;

}  // namespace

bool are_named() {
  int known = __atomic_load_n(&given, __ATOMIC_RELAXED);
  if (known == kNotAsked) {
    known = environment(kVariable) ? kGiven : kNone;
    __atomic_store_n(&given, known, __ATOMIC_RELAXED);
  }
  return known == kGiven;
}

bool are_given() { return are_named() || is_made_on_demand(); }

size_t file_count() {
  const List* const all = list();
  return all ? all->files.size() : 0;
}

const char* file(size_t number) {
  const List& all = *list();
  return &all.text[all.files[number].path];
}

}  // namespace torchada::kernels

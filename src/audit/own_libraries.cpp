#include "src/audit/own_libraries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/audit/messages.h"

namespace torchada {
namespace {

constexpr char kModule[] = "torchada_audit.so";
constexpr int kMostLinks = 8;  // libX.so -> libX.so.12 -> libX.so.12.4.127, with some to spare.

// The folder of this module, from the variable that loaded it. dladdr cannot be used: on some glibc
// versions it does not know this namespace.
bool own_folder(Path* out) {
  const char* list = environment("LD_AUDIT");
  while (list && *list) {
    const size_t length = strcspn(list, ":");
    const size_t base = sizeof kModule - 1;
    if (length > base && list[length - base - 1] == '/' &&
        memcmp(list + length - base, kModule, base) == 0) {
      out->append(list, length - base - 1);
      return true;
    }
    list += length;
    list += strspn(list, ":");
  }
  return false;
}

bool exists(const Path& path) { return !path.truncated() && access(path.c_str(), F_OK) == 0; }

// The version in the name of a link's target, through any number of links.
bool version_behind(const char* path, Path* buffer, LibraryName* out) {
  Path link;
  link << path;
  for (int i = 0; i < kMostLinks && !link.truncated(); ++i) {
    char target[2048];
    const ssize_t size = readlink(link.c_str(), target, sizeof target - 1);
    if (size <= 0) return false;
    target[size] = '\0';
    LibraryName name;
    if (parse_library_name(base_name(target), &name) && name.version) {
      buffer->clear();
      *buffer << base_name(target);
      return parse_library_name(buffer->c_str(), out);
    }
    Path next;
    if (target[0] != '/') {
      next.append(link.c_str(), static_cast<size_t>(base_name(link.c_str()) - link.c_str()));
    }
    next << target;
    link = next;
  }
  return false;
}

}  // namespace

bool OwnLibraries::find_folders() {
  abi_ = environment("TORCHADA_AUDIT_ABI");
  if (const char* given = environment("TORCHADA_AUDIT_LIB")) {
    folders_ << given;
  } else if (Path beside; own_folder(&beside)) {
    beside << "/../lib";
    char* whole = beside.truncated() ? nullptr : realpath(beside.c_str(), nullptr);
    if (!whole) return false;
    folders_ << whole;
    free(whole);
  }
  if (const char* all = environment("TORCHADA_AUDIT_LEFT_OUT")) left_out_ << all;
  const Folder first = first_of(folders_);
  Path folder;
  folder.append(first.path, first.length);
  return folder.size() > 0 && !folders_.truncated() && exists(folder);
}

OwnLibraries::Folder OwnLibraries::after(const Folder& folder) {
  const char* next = folder.path + folder.length;
  next += strspn(next, ":");
  return {next, strcspn(next, ":")};
}

bool OwnLibraries::try_file(const Folder& folder, const LibraryName& name,
                            const LibraryName& version, const char* tail) {
  file_.clear();
  file_.append(folder.path, folder.length);
  file_ << "/";
  file_.append(name.stem, name.stem_length);
  file_ << ".so.";
  file_.append(version.version, version.major_length);
  file_ << tail;
  return exists(file_);
}

// The SONAME ends with one number, except that two libraries of CUDA 11 have two: .11.0 also stands
// for later releases, and .11.2 only for itself.
bool OwnLibraries::try_version(const Folder& folder, const LibraryName& name,
                               const LibraryName& version) {
  if (try_file(folder, name, version, "") || try_file(folder, name, version, ".0")) return true;
  const char* const rest = version.version + version.major_length;
  if (*rest != '.') return false;
  Text<16> second;
  second.append(rest, 1 + strcspn(rest + 1, "."));
  return !second.truncated() && try_file(folder, name, version, second.c_str());
}

bool OwnLibraries::try_every_folder(const List& list, const LibraryName& name,
                                    const LibraryName& version) {
  for (Folder folder = first_of(list); folder.length > 0; folder = after(folder)) {
    if (try_version(folder, name, version)) return true;
  }
  return false;
}

// Uses the links in our own layout, whose targets carry the SONAME.
bool OwnLibraries::follow_link(const Folder& folder, const char* subfolder,
                               const LibraryName& name) {
  Path link, buffer;
  link.append(folder.path, folder.length);
  link << "/" << subfolder;
  link.append(name.stem, name.stem_length);
  link << ".so";
  LibraryName found;
  return !link.truncated() && version_behind(link.c_str(), &buffer, &found) &&
         try_version(folder, name, found);
}

bool OwnLibraries::try_unversioned(const List& list, const LibraryName& name) {
  Text<64> subfolder;
  if (abi_) subfolder << "cu" << abi_ << "/";
  for (Folder folder = first_of(list); folder.length > 0; folder = after(folder)) {
    const bool is_chosen =
        abi_ && !subfolder.truncated() && follow_link(folder, subfolder.c_str(), name);
    if (is_chosen || follow_link(folder, "", name)) return true;
  }
  return false;
}

const char* OwnLibraries::file_for(const LibraryName& name, const char* path,
                                   const LibraryName& bound) {
  const int saved_errno = errno;
  bool found = false;
  Path buffer;
  LibraryName behind;
  if (name.version) {
    found = try_every_folder(folders_, name, name);
  } else if (base_name(path) != path && version_behind(path, &buffer, &behind)) {
    found = try_every_folder(folders_, name, behind);
  } else {
    // cuRAND and NCCL have their own numbers, so their files do not carry CUDA's.
    found = (bound.version && try_every_folder(folders_, name, bound)) ||
            try_unversioned(folders_, name);
  }
  errno = saved_errno;
  return found ? file_.c_str() : nullptr;
}

bool OwnLibraries::is_left_out(const LibraryName& name) {
  const int saved_errno = errno;
  const bool found =
      name.version ? try_every_folder(left_out_, name, name) : try_unversioned(left_out_, name);
  errno = saved_errno;
  return found;
}

bool OwnLibraries::has_another_major(const LibraryName& name) {
  const int saved_errno = errno;
  const bool found = name.version && try_unversioned(folders_, name);
  errno = saved_errno;
  return found;
}

bool OwnLibraries::contains(const char* path) const {
  for (Folder folder = first_of(folders_); folder.length > 0; folder = after(folder)) {
    if (strncmp(path, folder.path, folder.length) != 0) continue;
    const char* rest = path + folder.length;
    if (strncmp(rest, "/cu", 3) == 0) rest += 3 + strspn(rest + 3, "0123456789");
    if (*rest == '/' && strchr(rest + 1, '/') == nullptr) return true;
  }
  return false;
}

}  // namespace torchada

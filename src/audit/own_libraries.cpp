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

bool OwnLibraries::find_folder() {
  abi_ = environment("TORCHADA_AUDIT_ABI");
  if (const char* given = environment("TORCHADA_AUDIT_LIB")) {
    folder_ << given;
  } else if (own_folder(&folder_)) {
    folder_ << "/../lib";
    char* whole = folder_.truncated() ? nullptr : realpath(folder_.c_str(), nullptr);
    if (!whole) return false;
    folder_.clear();
    folder_ << whole;
    free(whole);
  }
  return folder_.size() > 0 && exists(folder_);
}

bool OwnLibraries::try_file(const LibraryName& name, const LibraryName& version, const char* tail) {
  file_.clear();
  file_ << folder_.c_str() << "/";
  file_.append(name.stem, name.stem_length);
  file_ << ".so.";
  file_.append(version.version, version.major_length);
  file_ << tail;
  return exists(file_);
}

// The SONAME ends with one number, except that CUDA 11's runtime has two.
bool OwnLibraries::try_version(const LibraryName& name, const LibraryName& version) {
  return try_file(name, version, "") || try_file(name, version, ".0");
}

// Uses the links in our own layout, whose targets carry the SONAME.
bool OwnLibraries::follow_link(const char* subfolder, const LibraryName& name) {
  Path link, buffer;
  link << folder_.c_str() << "/" << subfolder;
  link.append(name.stem, name.stem_length);
  link << ".so";
  LibraryName found;
  return !link.truncated() && version_behind(link.c_str(), &buffer, &found) &&
         try_version(name, found);
}

bool OwnLibraries::try_unversioned(const LibraryName& name) {
  if (abi_) {
    Text<64> subfolder;
    subfolder << "cu" << abi_ << "/";
    if (!subfolder.truncated() && follow_link(subfolder.c_str(), name)) return true;
  }
  return follow_link("", name);
}

const char* OwnLibraries::file_for(const LibraryName& name, const char* path,
                                   const LibraryName& bound) {
  const int saved_errno = errno;
  bool found = false;
  Path buffer;
  LibraryName behind;
  if (name.version) {
    found = try_version(name, name);
  } else if (base_name(path) != path && version_behind(path, &buffer, &behind)) {
    found = try_version(name, behind);
  } else {
    // cuRAND and NCCL have their own numbers, so their files do not carry CUDA's.
    found = (bound.version && try_version(name, bound)) || try_unversioned(name);
  }
  errno = saved_errno;
  return found ? file_.c_str() : nullptr;
}

bool OwnLibraries::is_not_offered(const LibraryName& name) {
  const Path offered = folder_;
  const char* last = base_name(offered.c_str());
  if (!name.version || strncmp(last, "cu", 2) != 0 || offered.truncated()) return false;
  const int saved_errno = errno;
  folder_.clear();
  folder_.append(offered.c_str(), static_cast<size_t>(last - 1 - offered.c_str()));
  const bool found = try_version(name, name);
  folder_ = offered;
  errno = saved_errno;
  return found;
}

bool OwnLibraries::contains(const char* path) const {
  if (strncmp(path, folder_.c_str(), folder_.size()) != 0) return false;
  const char* rest = path + folder_.size();
  if (strncmp(rest, "/cu", 3) == 0) rest += 3 + strspn(rest + 3, "0123456789");
  return *rest == '/' && strchr(rest + 1, '/') == nullptr;
}

}  // namespace torchada

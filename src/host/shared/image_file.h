// Images of device code as files: whether one is whole, and whether something in it would run while
// the loader opens it. Nothing outside a file's bytes is read, and nothing of it is loaded.
#pragma once

#include <string>
#include <string_view>

namespace host {

struct ImageFault {
  enum class Kind {
    kNone,
    kForeign,    // device code that is not the stand-in's, or another file
    kInvalid,    // damaged, cut short, or no device code at all
    kForbidden,  // has what device code may not have
  };
  Kind kind = Kind::kNone;
  std::string text;    // what is wrong
  std::string symbol;  // the mangled name of what is at fault; empty if nobody knows

  explicit operator bool() const { return kind != Kind::kNone; }
};

// Reads the image in an open regular file of at most 1 GiB. One zero may follow it, which is left
// out. Its first page and its tables are judged before the rest is read, so a large file that is no
// image takes no memory.
ImageFault read_image(int descriptor, std::string* bytes);

// What the loader would run by itself (constructors, initialisers, resolvers of functions), and
// what no device function is: functions of the system. The first that is found.
ImageFault find_forbidden(std::string_view bytes);

// Writes size and checksum into what the linker made. False if it has no place for them.
bool seal_image(std::string* bytes);

// Whether code may be run from this open file: it is a regular file of this user or of root, and
// not everybody may write to it. Otherwise says why not.
bool is_trusted(int descriptor, std::string* why);

}  // namespace host

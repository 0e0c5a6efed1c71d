// Checks an ELF file before the loader gets it.
#pragma once

namespace torchada {

// Null if the file at `path` is an ELF file for this machine with everything its segments need;
// otherwise what is wrong. The loader maps segments without looking at the file's size, so a file
// that a broken download or a full disk cut short would end the process with SIGBUS.
const char* what_is_wrong_with(const char* path);

// Whether the file at `path` is a replacement library, so that opening it opens no other library of
// that name.
bool is_replacement_file(const char* path);

}  // namespace torchada

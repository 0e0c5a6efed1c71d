// Static TLS at the start of a program. With LD_AUDIT set, glibc lays out the static TLS block
// before it loads the program's libraries, so these get only what it keeps free: about 1.6 KiB, for
// all of them. A library that needs more, such as jemalloc, then ends the program with "cannot
// allocate memory in static TLS block".
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace torchada {

struct StaticTls {
  std::size_t needed = 0;  // Bytes, of the files that the loader maps at the start.
  bool fits = true;        // In what glibc keeps free.
  // The program's loader can be told to keep more free: glibc.rtld.optional_static_tls, which glibc
  // 2.31 lacks.
  bool can_reserve = false;
};

// Of `program`, an ELF file, and what LD_PRELOAD in the environment names. Names without a path are
// sought in LD_LIBRARY_PATH and the system's directories. What is not found counts nothing.
StaticTls static_tls_at_start(const std::string& program);

// `tunables` (a value of GLIBC_TUNABLES) with enough room added. Nothing if none needs to be added,
// or if the loader cannot add any, or if `tunables` already sets this one.
std::optional<std::string> with_static_tls(const StaticTls& tls, const std::string& tunables);

}  // namespace torchada

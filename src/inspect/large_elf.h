// Reads an ELF file that is too large for memory and comes as a stream.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

struct LargeElfLimits {
  std::uint64_t kept = std::uint64_t{256} << 20;  // Bytes that are kept.
  bool kernel_names = false;                      // Also .symtab, and pages with mangled names.
};

// The file cannot be read in this way. what() says why, without the path.
struct LargeElfError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads the stream twice: once for its section headers, once for what they tell of. Calls `visit`
// with bytes of the file's size, in which only the parts are filled that the readers of this folder
// look at: headers, dynamic sections and symbols, the headers of device code, and the pages of data
// that hold names of CUDA's functions and of libraries. All else reads as zeros and takes no
// memory. The bytes are valid during the call. `read` gives the next piece and false at the end;
// `restart` begins again and returns false on a failure.
void read_large_elf(const std::function<bool(std::vector<char>&)>& read,
                    const std::function<bool()>& restart, const LargeElfLimits& limits,
                    const std::function<void(std::string_view)>& visit);

}  // namespace torchada

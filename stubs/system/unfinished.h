// Work on what the whole process shares (the loader's lists, the companion) that a child of fork()
// may inherit half done: it has no copy of the thread that would finish it.
#pragma once

namespace torchada {

// Exists during such work. May be nested.
class Unfinished {
 public:
  Unfinished();
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  bool is_counted_;
};

// Whether this process was forked while another thread was in such work of this library. The loader
// may then be damaged for ever and hold locks that nobody frees, so it must not be asked anything.
bool was_cut_off();

}  // namespace torchada

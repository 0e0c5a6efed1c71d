// Where records go. Each is written as a whole with one system call before the traced function
// returns to the program, so that nothing is lost in a buffer when a process dies.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "src/companion/trace/options.h"

namespace torchada::trace {

class Output {
 public:
  Output(Format format, std::string pattern);

  // Appends a record that ends with a line feed (in Chrome's format: an event without one). The
  // program goes on whatever happens: the first failure is reported on standard error, and nothing
  // more is written. False if the record was not written.
  bool write(std::string_view record);

  // Writes the first record of the process. Only the first caller writes; other records come after
  // it.
  void write_head(std::string_view head);

  // Prints a line on standard error, whatever the output is.
  static void complain(const std::string& text);
  // From now on, the process ends with status 3 if any output could not be written.
  static void loss_is_a_status();

  // Around fork(): the child opens the file again, as a different process.
  void before_fork() { mutex_.lock(); }
  void after_fork(bool is_child);

 private:
  bool write_one(std::string_view record);
  bool ready();
  bool open_file();
  bool is_still_ours() const;
  bool append(std::string_view record) const;
  bool append_event(std::string_view event) const;
  void fail(const std::string& what);

  const Format format_;
  const std::string pattern_;
  std::string path_;  // Empty: standard error.
  std::mutex mutex_;
  int file_ = -1;
  bool failed_ = false;
  bool has_head_ = false;
  bool may_signal_ = false;               // A pipe or socket: writing may raise SIGPIPE.
  unsigned long device_ = 0, inode_ = 0;  // Of the file, in case somebody replaces the descriptor.
};

}  // namespace torchada::trace

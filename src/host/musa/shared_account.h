// How much device memory each process of this user has in use, and how long it kept each device
// busy: the processes share the simulated devices as they would share real ones.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace musa {

// Pages of this user and process namespace, which a file in /dev/shm names. They are a System V
// segment: whatever becomes of the file, nobody can take pages from a process that has mapped them.
// They are all zero at first and need no locks, so that a process may end at any moment. Nothing in
// them is trusted: an entry counts only while the process that it names runs, and each process
// replaces its own.
class SharedAccount {
 public:
  // Processes with the same name share. With no name, or if there can be no such pages, the
  // process counts alone.
  explicit SharedAccount(const std::string& name);
  // The pages stay: others may read them, and an entry is worthless when its process ends.
  ~SharedAccount() = default;
  SharedAccount(const SharedAccount&) = delete;
  SharedAccount& operator=(const SharedAccount&) = delete;

  bool is_shared() const { return shared_ != nullptr; }
  // These two are called under the device's lock. `device` is a physical index below 64.
  void publish(int device, std::size_t bytes);
  // Where this process counts how long its streams are busy (busy_time.h). Nobody else sees it if
  // the account is full or not shared.
  std::atomic<std::uint64_t>& busy_time(int device);
  // In bytes; SIZE_MAX if they exceed it.
  std::size_t used_by_others(int device) const;

  // What an entry says. `busy` is to be read with busy_until().
  struct Use {
    std::uint64_t owner;  // a process and a device
    int device;
    std::uint64_t bytes;
    std::uint64_t busy;
  };
  static pid_t process_of(std::uint64_t owner);
  // Of all processes that run, this one included, in no order.
  std::vector<Use> uses() const;

  // Removes the entries of processes that have ended. Whether there were any.
  bool remove_ended() const;

 private:
  // Each has a cache line of its own: its process writes to it with every piece of work.
  struct alignas(64) Entry {
    std::atomic<std::uint64_t> owner;  // 0: free
    std::atomic<std::uint64_t> bytes;
    std::atomic<std::uint64_t> busy;
  };
  static constexpr std::size_t kEntries = 511;
  struct Shared {
    alignas(Entry) std::atomic<std::uint64_t> reached;  // Entries from here on were never claimed.
    std::atomic<std::uint64_t> tag;                     // as the file says
    Entry entries[kEntries];
  };
  static_assert(sizeof(Shared) == 32768);

  // Both are given the account's file, locked. They set shared_, unless that fails.
  void join(int descriptor);   // the account that it names, if some process still has it
  void begin(int descriptor);  // a new one, which it names from now on

  // The entries that may have an owner: far fewer than all, which every query would have to read.
  std::span<Entry> reached() const;
  Entry* find(std::uint64_t owner) const;
  Entry* claim(std::uint64_t owner) const;
  // This process's entry; null if there is none and none shall be or can be made.
  Entry* own(int device, bool make);

  Shared* shared_ = nullptr;
  std::array<Entry*, 64> own_{};                         // of each device, as last seen
  std::array<std::atomic<std::uint64_t>, 64> unseen_{};  // busy times without an entry
  std::uint64_t process_ = 0;                            // the owner's bits without the device
};

// The file of the account of this name; empty if the process namespace is unknown.
std::string account_path(const std::string& name);

}  // namespace musa

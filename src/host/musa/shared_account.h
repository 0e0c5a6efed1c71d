// How much device memory each process of this user has in use: the processes share the memory of
// the simulated devices as they would share that of real ones.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace musa {

// An object of fixed size in /dev/shm, of this user and process namespace. It is all zero at first
// and needs no locks, so that a process may end at any moment. Nothing in it is trusted: an entry
// counts only while the process that it names runs, and each process replaces its own.
class SharedAccount {
 public:
  // Processes with the same name share. With no name, or if there can be no such object, the
  // process counts alone.
  explicit SharedAccount(const std::string& name);
  // The object stays: its entry is worthless as soon as the process ends.
  ~SharedAccount() = default;
  SharedAccount(const SharedAccount&) = delete;
  SharedAccount& operator=(const SharedAccount&) = delete;

  bool is_shared() const { return shared_ != nullptr; }
  // Called under the device's lock. `device` is a physical index below 64.
  void publish(int device, std::size_t bytes);
  // In bytes; SIZE_MAX if they exceed it.
  std::size_t used_by_others(int device) const;
  // Removes the entries of processes that have ended. Whether there were any.
  bool remove_ended() const;

 private:
  struct Entry {
    std::atomic<std::uint64_t> owner;  // 0: free
    std::atomic<std::uint64_t> bytes;
  };
  static constexpr std::size_t kEntries = 511;
  struct Shared {
    alignas(Entry) std::atomic<std::uint64_t> reached;  // Entries from here on were never claimed.
    std::uint64_t unused;
    Entry entries[kEntries];
  };
  static_assert(sizeof(Shared) == 8192);

  // The entries that may have an owner: far fewer than all, which every query would have to read.
  std::span<Entry> reached() const;
  Entry* find(std::uint64_t owner) const;
  Entry* claim(std::uint64_t owner) const;

  Shared* shared_ = nullptr;
  std::array<Entry*, 64> own_{};  // of each device, as last seen
  std::uint64_t process_ = 0;     // the owner's bits without the device
};

// Where the account of this name is; empty if the process namespace is unknown.
std::string account_path(const std::string& name);

}  // namespace musa

// beside_gloo ID_FILE RANKS RANK: a program with its own gloo, as libtorch has one. Both copies
// must work without mixing.
#include <dlfcn.h>
#include <gloo/transport/context.h>
#include <gloo/transport/device.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "tests/collectives/rank.h"

namespace {

bool is_mapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/" + name) != std::string::npos) return true;
  }
  return false;
}

// Sends a message from one end to the other, through the program's own gloo.
void use_own_gloo() {
  gloo::transport::tcp::attr attributes;
  attributes.hostname = "127.0.0.1";
  const auto device = gloo::transport::tcp::CreateDevice(attributes);
  const auto left = device->createContext(0, 2);
  const auto right = device->createContext(1, 2);
  left->setTimeout(std::chrono::seconds(30));  // gloo sets no default
  right->setTimeout(std::chrono::seconds(30));
  const auto left_address = left->createPair(1)->address().bytes();
  const auto right_address = right->createPair(0)->address().bytes();
  std::thread other([&] { right->getPair(0)->connect(left_address); });
  left->getPair(1)->connect(right_address);
  other.join();
  int sent = 42;
  int received = 0;
  const auto out = left->createUnboundBuffer(&sent, sizeof sent);
  const auto in = right->createUnboundBuffer(&received, sizeof received);
  in->recv(0, 7);
  out->send(1, 7);
  EXPECT(out->waitSend() && in->waitRecv());
  EXPECT(received == 42);
}

std::string owner_of_gloo() {
  Dl_info info{};
  EXPECT(dladdr(reinterpret_cast<void*>(&gloo::transport::tcp::CreateDevice), &info) != 0);
  return info.dli_fname;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  use_own_gloo();
  Rank rank(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  EXPECT(is_mapped("libmcgl.so.0"));
  const DeviceBytes value(encode(kInt32, rank.rank() + 1));
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT(ncclAllReduce(value.get(), value.get(), 1, kInt32, kMax, rank.comm(), rank.stream()) ==
           kSuccess);
    rank.wait();
    use_own_gloo();
  }
  EXPECT(value.read() == encode(kInt32, rank.ranks()));
  EXPECT(owner_of_gloo().ends_with("/libgloo.so.0"));
  rank.destroy();
  std::printf("ok\n");
  return 0;
}

// The runtime reads its environment once per process, so each case runs in its own process.
#include <unistd.h>

#include "tests/host/musart/support.h"

namespace {

constexpr char kClean[] =
    "-u TORCHADA_HOST_DEVICES -u TORCHADA_HOST_MEMORY -u MUSA_VISIBLE_DEVICES ";

std::string devices(const std::string& environment) {
  const Outcome run = run_helper("devices", kClean + environment);
  EXPECT_EQ(0, run.status);
  return run.output;
}

size_t memory(const std::string& environment) {
  return std::stoull(run_helper("memory", kClean + environment).output);
}

TEST(Environment, NumberOfDevices) {
  EXPECT_EQ("0 1 0\n", devices(""));
  EXPECT_EQ("0 3 0 1 2\n", devices("TORCHADA_HOST_DEVICES=3"));
  EXPECT_EQ("100 0\n", devices("TORCHADA_HOST_DEVICES=0"));
  EXPECT_EQ("0 1 0\n", devices("TORCHADA_HOST_DEVICES=many"));
}

TEST(Environment, VisibleDevices) {
  const std::string four = "TORCHADA_HOST_DEVICES=4 MUSA_VISIBLE_DEVICES=";
  EXPECT_EQ("0 2 3 1\n", devices(four + "3,1"));
  EXPECT_EQ("0 2 0 2\n", devices(four + "'0, 2'"));
  EXPECT_EQ("0 1 2\n", devices(four + "2,7,1"));
  EXPECT_EQ("0 1 2\n", devices(four + "2,x,1"));
  EXPECT_EQ("0 1 2\n", devices(four + "2,2,1"));
  EXPECT_EQ("100 0\n", devices(four + "-1"));
  EXPECT_EQ("100 0\n", devices(four));
}

TEST(Environment, Processors) {
  EXPECT_EQ("5 5\n", run_helper("processors", "TORCHADA_HOST_PROCESSORS=5").output);
  EXPECT_EQ("1024 1024\n", run_helper("processors", "TORCHADA_HOST_PROCESSORS=1024").output);
  EXPECT_EQ(run_helper("processors", "-u TORCHADA_HOST_PROCESSORS").output,
            run_helper("processors", "TORCHADA_HOST_PROCESSORS=0").output);
}

TEST(Environment, NoDevices) {
  const Outcome run = run_helper("without-devices", "TORCHADA_HOST_DEVICES=0");
  EXPECT_EQ(0, run.status) << run.output;
}

TEST(Environment, MemoryPerDevice) {
  EXPECT_EQ(1000000u, memory("TORCHADA_HOST_MEMORY=1000000"));
  EXPECT_EQ(size_t{64} << 10, memory("TORCHADA_HOST_MEMORY=64k"));
  EXPECT_EQ(size_t{5} << 20, memory("TORCHADA_HOST_MEMORY=5M"));
  EXPECT_EQ(size_t{2} << 30, memory("TORCHADA_HOST_MEMORY=2G"));
  const size_t half =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  EXPECT_EQ(half, memory(""));
  EXPECT_EQ(half, memory("TORCHADA_HOST_MEMORY=plenty"));
  EXPECT_EQ(half, memory("TORCHADA_HOST_MEMORY=5MM"));
  EXPECT_EQ(half, memory("TORCHADA_HOST_MEMORY=-5"));
}

}  // namespace

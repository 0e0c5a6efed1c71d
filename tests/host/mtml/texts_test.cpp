// Texts, versions and what is logged.
#include <set>
#include <string>

#include "tests/host/mtml/support.h"

namespace {

TEST_F(MtmlTest, mtmlLibraryGetVersion_SaysTheVersionOfTheHeader) {
  char version[MTML_LIBRARY_VERSION_BUFFER_SIZE] = "";
  EXPECT_MTML(mtmlLibraryGetVersion(library_, version, sizeof version));
  EXPECT_STREQ("2.2.0", version);
  EXPECT_EQ(MTML_ERROR_INSUFFICIENT_SIZE, mtmlLibraryGetVersion(library_, version, 5));
  EXPECT_EQ(MTML_ERROR_INSUFFICIENT_SIZE, mtmlLibraryGetVersion(library_, version, 0));
  EXPECT_INVALID(mtmlLibraryGetVersion(library_, nullptr, 32));
  EXPECT_INVALID(mtmlLibraryGetVersion(nullptr, version, 32));
}

TEST_F(MtmlTest, mtmlSystemGetDriverVersion_SaysTheVersionOfTheDriver) {
  MtmlSystem* system = nullptr;
  ASSERT_MTML(mtmlLibraryInitSystem(library_, &system));
  char version[MTML_DRIVER_VERSION_BUFFER_SIZE] = "";
  EXPECT_MTML(mtmlSystemGetDriverVersion(system, version, sizeof version));
  EXPECT_STREQ("5.2.0", version);
  EXPECT_EQ(MTML_ERROR_INSUFFICIENT_SIZE, mtmlSystemGetDriverVersion(system, version, 3));
  EXPECT_INVALID(mtmlSystemGetDriverVersion(system, nullptr, 80));
  EXPECT_INVALID(mtmlSystemGetDriverVersion(nullptr, version, 80));
}

TEST(MtmlErrors, mtmlErrorString_TellsThemApart) {
  EXPECT_STREQ("success", mtmlErrorString(MTML_SUCCESS));
  std::set<std::string> texts;
  for (int number = 0; number <= MTML_ERROR_RESOURCE_IS_BUSY; ++number) {
    texts.insert(mtmlErrorString(static_cast<MtmlReturn>(number)));
  }
  EXPECT_EQ(13U, texts.size());
  EXPECT_STREQ("unknown error", mtmlErrorString(MTML_ERROR_UNKNOWN));
}

TEST(MtmlLog, mtmlLogSetConfiguration_KeepsIt) {
  MtmlLogConfiguration wanted{};
  wanted.fileConfig.level = MTML_LOG_LEVEL_INFO;
  wanted.fileConfig.size = 7;
  EXPECT_MTML(mtmlLogSetConfiguration(&wanted));
  MtmlLogConfiguration found{};
  EXPECT_MTML(mtmlLogGetConfiguration(&found));
  EXPECT_EQ(7U, found.fileConfig.size);
  wanted.systemConfig.level = static_cast<MtmlLogLevel>(5);
  EXPECT_INVALID(mtmlLogSetConfiguration(&wanted));
  EXPECT_INVALID(mtmlLogSetConfiguration(nullptr));
}

TEST(MtmlLog, mtmlLogGetConfiguration_OverwritesWhatWasThere) {
  const MtmlLogConfiguration off{};
  EXPECT_MTML(mtmlLogSetConfiguration(&off));
  MtmlLogConfiguration found{};
  found.consoleConfig.level = MTML_LOG_LEVEL_FATAL;
  EXPECT_MTML(mtmlLogGetConfiguration(&found));
  EXPECT_EQ(MTML_LOG_LEVEL_OFF, found.consoleConfig.level);
  EXPECT_INVALID(mtmlLogGetConfiguration(nullptr));
}

}  // namespace

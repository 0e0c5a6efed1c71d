// What a probe uses: it calls MUSA through the tables and says which facts hold.
//
// A probe runs in a child process. It sends each result to the parent at once, and the name of each
// function before the call, so a crash or a hang counts against that function.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "src/command/verify/call.h"
#include "src/command/verify/facts.h"
#include "src/command/verify/libraries.h"
#include "src/command/verify/outcome.h"

namespace torchada::verify {

// Ends an attempt of a probe. The text says why the facts it touched stay undecided.
struct Stop : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Probing {
 public:
  // `out` receives lines for the parent.
  Probing(const Facts& facts, const MusaFiles& files, int out)
      : facts_(facts), files_(files), libraries_(files, facts), out_(out) {}

  const Facts& facts() const { return facts_; }
  const MusaFiles& files() const { return files_; }
  Libraries& libraries() { return libraries_; }
  bool is_stand_in() const { return files_.is_stand_in; }

  // ---- calling
  bool has(const std::string& function);  // Exported, with a known prototype.
  // Stops if the function does not exist or cannot be called.
  Answer call(const std::string& function, const Arguments& arguments, bool spare = false);
  // Like call(), but stops if the status is not success. A refusal (not supported) decides nothing;
  // any other status contradicts the prototype.
  void good(const std::string& function, const Arguments& arguments, bool spare = false);
  // The number of an enumerator. Stops if it is unknown.
  int value(const std::string& type, const std::string& enumerator);
  // Results rest on every enumerator requested and every function called, until the end of the
  // attempt. forget() clears the enumerators.
  void forget();

  // ---- deciding
  void confirm(const std::string& id, const std::string& found);
  void contradict(const std::string& id, const std::string& expected, const std::string& found);
  void absent(const std::string& id, const std::string& found);
  void leave(const std::string& id, const std::string& reason);
  void decide(const std::string& id, bool holds, const std::string& expected,
              const std::string& found);
  // For functions that were called: either their prototypes hold, or they are the first suspects.
  void expect(bool holds, const std::vector<std::string>& functions, const std::string& expected,
              const std::string& found);
  // For the number of an enumerator, judged by its effect.
  void expect_value(bool holds, const std::string& type, const std::string& enumerator,
                    const std::string& expected, const std::string& found);
  // For the number of bytes written into a struct: exactly its size, or with `whole` false, at most
  // its size.
  void expect_size(const std::string& type, const OutBuffer& buffer, bool whole);

  // Runs a part of a probe. If the part stops, the rest continues.
  void attempt(const std::function<void()>& part);

 private:
  void send(const Outcome& outcome);
  void rest_on(const std::string& id);
  void decide_all(const std::vector<std::string>& ids, bool holds, const std::string& expected,
                  const std::string& found);
  void check_buffers(const Fact& prototype, const Arguments& arguments);
  void check_struct(const std::string& type, std::size_t written);
  bool is_refusal(const Fact& prototype, std::int64_t status) const;

  const Facts& facts_;
  const MusaFiles& files_;
  Libraries libraries_;
  const int out_;
  std::set<std::string> touched_, decided_, broken_;
  std::vector<std::string> rests_on_;
};

struct Probe {
  std::string name;
  std::function<void(Probing&)> run;
};

}  // namespace torchada::verify

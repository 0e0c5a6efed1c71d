// What all threads share is made under one mutex, at the first call. A child of fork() finds all of
// it or none, and each mutex free, whatever other threads did.
#pragma once

namespace mtml {

void make_ready();

}  // namespace mtml

// The fixed parts of the HTML page: it must work from a file, without a network.
#pragma once

namespace torchada::coverage {

extern const char kPageHead[];    // Up to and with the opening of <main>.
extern const char kPageScript[];  // From the closing of the data to the end of the page.

}  // namespace torchada::coverage

// The fixed parts of the HTML page. The page must work as a local file without a network.
#pragma once

namespace torchada::coverage {

extern const char kPageHead[];    // Up to and including the opening <main> tag.
extern const char kPageScript[];  // From the end of the data to the end of the page.

}  // namespace torchada::coverage

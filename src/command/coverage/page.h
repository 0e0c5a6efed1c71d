// The files of page/, embedded when torchada is built. The page works from a file, without a
// network.
#pragma once

namespace torchada::coverage {

extern const char kPageHtml[];  // With {{places}} that write_html fills.
extern const char kPageCss[];
extern const char kCheckMembersJson[];  // What the page reads of torchada check's JSON.

// The script, in this order.
extern const char kElementsJs[];
extern const char kFunctionsJs[];
extern const char kCheckResultJs[];
extern const char kProgramJs[];
extern const char kSearchJs[];
extern const char kStartJs[];

}  // namespace torchada::coverage

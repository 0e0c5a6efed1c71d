// Version of the runtime these headers describe.
//
// Assumed: as in 5.1.0, where the runtime answers the version of the SDK. Nobody has shown the
// answer of 4.3.
#pragma once

#define MUSART_VERSION 40305

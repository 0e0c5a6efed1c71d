// Version of the runtime these headers describe.
//
// Evidence: MooreThreads/julia-musa:doc/src/devdocs/musa-s1-metadata-inventory.md at df891bd.
#pragma once

#define MUSART_VERSION 50200

// What tests ask of the runtime in old_musart.cpp.
#pragma once

extern "C" {
int old_musart_live();               // Allocations and streams not given back.
int old_musart_device();             // The calling thread's.
void old_musart_fail_next_malloc();  // Of the calling thread.
}

// What tests can ask of the runtime in old_musart.cpp.
#pragma once

extern "C" {
int old_musart_live();               // Allocations and streams not yet freed.
int old_musart_device();             // The calling thread's current device.
void old_musart_fail_next_malloc();  // For the calling thread.
// How often the calling thread is told that a stream is not ready.
void old_musart_be_busy(int times);
int old_musart_busy();
}

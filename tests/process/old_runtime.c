// A libmusart of an older SDK, as far as the test of mixed versions needs it.
int musaGetDeviceCount(int* count);
int musaGetDeviceCount(int* count) {
  *count = 4;
  return 0;
}

// The driver of the backend. Each copy says which one it is.
extern "C" int back_driver() { return PROBE_DRIVER; }

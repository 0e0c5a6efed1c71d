// A library with the name of NVIDIA's that is not ours, or one of MUSA's driver: DECOY_FUNCTION is
// all that it has.
int DECOY_FUNCTION(void);
int DECOY_FUNCTION(void) { return 0; }

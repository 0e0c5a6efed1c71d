// A library that has the name of one of NVIDIA's, or of MUSA's driver, but is neither. It contains
// only DECOY_FUNCTION.
int DECOY_FUNCTION(void);
int DECOY_FUNCTION(void) { return 0; }

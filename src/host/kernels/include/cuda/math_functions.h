#include "torchada_device.h"

#pragma once
#include "torchada_device.h"
#ifndef TORCHADA_AT_RUN_TIME
#include "torchada_host_code.h"
#endif

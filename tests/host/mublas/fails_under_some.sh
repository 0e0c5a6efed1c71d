#!/bin/sh
# Speaks like a test program with OpenBLAS, and fails under two of its sets of kernels.
core=${OPENBLAS_CORETYPE:-Haswell}
echo "Core: $core"
case "$*" in *gtest_filter=-*) exit 0 ;; esac
echo "[ RUN      ] A.Test"
case $core in
  Prescott) exit 1 ;;
  Core2) kill -SEGV $$ ;;
esac
echo "[==========] 1 test from 1 test suite ran. (0 ms total)"

# SDK 5.2.0 has libmtrtc.so.5.2.0 (MooreThreads/julia-musa
# doc/src/devdocs/musa-s1-metadata-inventory.md), 3.1.0 has none (b1tg/tinygrad
# extra/musa/musa_probe.md), and a port that ran on 4.3.3 had none (MooreThreads/paddle_musa).
# Assumed: that 5.1 has it, with the SDK's version in the file's name, and the SONAME libmtrtc.so.5, as libmusart.
set(TORCHADA_HOST_TREE_5.1_mtrtc 5.1.0 5)

# See ../trees/trees.cmake.
set(TORCHADA_HOST_TREE_3.1_mccl 2.11.4 2)
set(TORCHADA_HOST_TREE_4.3_mccl 2.11.4 2)
set(TORCHADA_HOST_TREE_5.1_mccl 2.28.9 2)
set(TORCHADA_HOST_TREE_5.2_mccl 2.28.9 2)

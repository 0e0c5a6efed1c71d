# libmtml.so.2: mthreads-ml-py 2.4.3 on PyPI. No source ties it to an SDK: it comes with the driver. Assumed: that each
# SDK's driver has it, in the version whose header is known.
set(TORCHADA_HOST_TREE_3.1_mtml 2.2.0 2)
set(TORCHADA_HOST_TREE_4.3_mtml 2.2.0 2)
set(TORCHADA_HOST_TREE_5.1_mtml 2.2.0 2)
set(TORCHADA_HOST_TREE_5.2_mtml 2.2.0 2)

# 3.1.0: libmufft.so without a version (ZhaoShanBiounite/musapy docs/sdk-3.1.0-musax-coverage.md).
# libmufft.so.1 is named, without the SDK, in siliconflow/FlagGems src/flag_gems/utils/stft_fft.py.
# Assumed: that this is the name in 4.3 and later.
set(TORCHADA_HOST_TREE_3.1_mufft none none)
set(TORCHADA_HOST_TREE_4.3_mufft 1 1)
set(TORCHADA_HOST_TREE_5.1_mufft 1 1)
set(TORCHADA_HOST_TREE_5.2_mufft 1 1)

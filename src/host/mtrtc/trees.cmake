# SDK 5.2.0 has libmtrtc.so.5.2.0 (MooreThreads/julia-musa
# doc/src/devdocs/musa-s1-metadata-inventory.md), and its release notes call it new
# (docs.mthreads.com, version-5.2.0/releasenote). Assumed: the SONAME libmtrtc.so.5, as libmusart.
set(TORCHADA_HOST_TREE_5.2_mtrtc 5.2.0 5)

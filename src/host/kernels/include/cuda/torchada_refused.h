// What the stand-in has not. The pass names the place of a use.
#pragma once

// Of clusters and of what counts events, and votes of the lanes that happen to be there.
#define TORCHADA_REFUSED(what, result, name, parameters) \
  TORCHADA_REFUSES(what) __device__ result name parameters;
#define TORCHADA_OF_CLUSTERS(result, name, parameters) \
  TORCHADA_REFUSED("a cluster", result, name, parameters)
TORCHADA_OF_CLUSTERS(unsigned int, __clusterDimIsSpecified, ())
TORCHADA_OF_CLUSTERS(dim3, __clusterDim, ())
TORCHADA_OF_CLUSTERS(dim3, __clusterGridDimInClusters, ())
TORCHADA_OF_CLUSTERS(dim3, __clusterIdx, ())
TORCHADA_OF_CLUSTERS(dim3, __clusterRelativeBlockIdx, ())
TORCHADA_OF_CLUSTERS(unsigned int, __clusterRelativeBlockRank, ())
TORCHADA_OF_CLUSTERS(unsigned int, __clusterSizeInBlocks, ())
TORCHADA_OF_CLUSTERS(void, __cluster_barrier_arrive, ())
TORCHADA_OF_CLUSTERS(void, __cluster_barrier_arrive_relaxed, ())
TORCHADA_OF_CLUSTERS(void, __cluster_barrier_wait, ())
TORCHADA_OF_CLUSTERS(void*, __cluster_map_shared_rank, (const void*, unsigned int))
TORCHADA_OF_CLUSTERS(uint2, __cluster_map_shared_multicast, (const void*, unsigned int))
TORCHADA_OF_CLUSTERS(unsigned int, __cluster_query_shared_rank, (const void*))
#define TORCHADA_COUNTER(name) TORCHADA_REFUSED("a counter of events", unsigned int, name, ())
TORCHADA_FOR_EACH(TORCHADA_COUNTER, __pm0, __pm1, __pm2, __pm3)
TORCHADA_REFUSED("a vote without a mask", int, __all, (int))
TORCHADA_REFUSED("a vote without a mask", int, __any, (int))
TORCHADA_REFUSED("a vote without a mask", unsigned int, __ballot, (int))
#undef TORCHADA_OF_CLUSTERS
#undef TORCHADA_COUNTER
#undef TORCHADA_REFUSED

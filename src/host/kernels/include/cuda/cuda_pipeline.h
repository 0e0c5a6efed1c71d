#error torchada: asynchronous copies into shared memory (cuda_pipeline.h)

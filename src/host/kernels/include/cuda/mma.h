#error torchada: tensor cores (mma.h)

# It counts open groups per thread.
set(LIBRARY_THREADS TRUE)

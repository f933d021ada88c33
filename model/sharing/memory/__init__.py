"""CPU-memory load sharing (Zhang, Qu, Xiao), `papers/cpu-memory-load-sharing.txt`."""

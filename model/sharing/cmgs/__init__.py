"""CMGS (Alves, Santana, Santana, Oliveira), `papers/cmgs.txt`."""

"""What keeps its word when everything fails at once? A study of ours of SURVIVOR beside others.

Read `paper.py`: its cases, and what its page is about.
"""

"""Who is wired to whom (`networks/`) and who manages whom (`managers/`), as NetworkX graphs.

Every topology is one file with one pure function of the file's name. A file put into either folder
is found by its name; nothing else has to know about it. Functions here import nothing of ours.
"""

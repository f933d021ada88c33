"""The tests, which mirror the rooms; a package, since `evalys` installs another of this name."""

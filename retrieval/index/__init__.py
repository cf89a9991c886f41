"""The index: one SQLite file per build beside a vectors file, a manifest that names the live build, one writer."""

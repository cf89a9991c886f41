"""The three legs, their fusion and the ranking features that order the candidates."""

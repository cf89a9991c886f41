"""Quality of the rule compiler and of the verifiers, each measured on labels of its own."""

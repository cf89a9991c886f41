"""Words: the one tokenizer that both the index and the questions go through."""

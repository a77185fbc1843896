"""Other libraries: data frames, training frameworks, Hugging Face, spaCy. Nothing else needs them."""

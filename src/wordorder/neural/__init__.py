"""What the networks of the package share: words as inputs, and the LSTM that reads them."""

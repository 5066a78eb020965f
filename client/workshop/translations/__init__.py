"""The workshop of the translators: collects the texts of the program into the lists in `client/language/`. Nothing that
ships uses it."""

"""What may be said and what is legal: board, rules kernel, rule sets, messages. Pure: no I/O, clock or chance."""

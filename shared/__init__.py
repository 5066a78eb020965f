"""Rules and messages: board, rules kernel, rule sets, wire structs. Pure: no I/O, clock or chance."""

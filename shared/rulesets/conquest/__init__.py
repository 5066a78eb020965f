"""Parts that Classic and the 1984 game have alike; it knows neither game. Parameters say where they differ."""

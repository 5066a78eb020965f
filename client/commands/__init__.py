"""Commands of `conquest` that open no window: `tell`, `verify`, `games`, `shot`."""

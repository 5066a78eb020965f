"""What is heard: sounds by name, how loud each is, and what plays them."""

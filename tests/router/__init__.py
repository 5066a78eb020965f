"""Opening of home routers: packets, renewal, and real routers in network namespaces."""

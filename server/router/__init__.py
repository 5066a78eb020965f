"""Opening of the home router's port, by PCP, NAT-PMP or UPnP, so that clients elsewhere reach this server."""

"""The wire protocol: messages as bytes, sessions on either end, links, announcements, and files of matches."""

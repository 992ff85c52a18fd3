"""Reports as text: what tables there are, and how each format shows them."""

"""What goes over the wire, typed: what a page may ask and what it is answered."""

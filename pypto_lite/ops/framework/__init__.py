"""How operators are declared, found, called and typed; knows none of them."""

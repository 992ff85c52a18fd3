"""The core library of the embedded Lean: Lean sources, and the generator of their native bindings."""

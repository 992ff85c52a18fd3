"""The embedded Lean's core library: its sources, and the generator of its native bindings."""

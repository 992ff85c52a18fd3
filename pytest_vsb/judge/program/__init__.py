"""The audit's program in Lean: building it, asking it, and reading what it says.

It reads the compiled submission as data and replays it: the kernel checks every declaration again
in a process that has elaborated nothing of the candidate's. `VsbAuditProgram.lean` runs on any
Lean; `embedded/Lean.lean` stands for the module `Lean` where the embedded Lean runs it.
"""

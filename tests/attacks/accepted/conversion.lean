-- verdict: accepted
-- target: Vault.double_two
-- trick: conversion mode
--- proof
by
  conv => lhs; rw [double_succ]
  rfl

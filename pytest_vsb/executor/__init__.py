"""Judging somewhere else: on the workers of a Dask cluster, while items stay where they are."""

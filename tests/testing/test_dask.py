"""A campaign on Dask: its executor is one of ``concurrent.futures``."""

from __future__ import annotations

from distributed import Client, LocalCluster

from pypto_lite.testing.campaign import Report, fuzz, run_chunk


def test_a_local_cluster_runs_a_campaign() -> None:
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        report = fuzz(client.get_executor(), examples=30, seed=6, jobs=2)
    assert report == Report(30)


def test_a_worker_can_be_sent_a_chunk() -> None:
    assert run_chunk.__module__ == "pypto_lite.testing.campaign"

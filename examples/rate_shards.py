"""Rates games in shards under HyperQueue, each with a store of its own, and merges the stores.

    python rate_shards.py errare games.pgn --shards 16 --store all.sqlite -- --depth 8

Without --server a server and a worker are started on this machine; with it, the server of a cluster is used whose folder is
given, and the folder of the shards must be one that all machines see. A shard that was broken off goes on when run again.
"""

import argparse
import subprocess
from pathlib import Path

from hyperqueue import Client, Job
from hyperqueue.cluster import LocalCluster, WorkerConfig


def submit(client, arguments):
    job = Job(default_workdir=arguments.work, max_fails=0)
    stores = [arguments.work / f"part-{k}.sqlite" for k in range(1, arguments.shards + 1)]
    for k, store in enumerate(stores, start=1):
        command = [arguments.errare, "rate", *arguments.games, "--shard", f"{k}/{arguments.shards}"]
        job.program([str(word) for word in [*command, "--store", store, "--threads", 1, *arguments.more]])
    client.wait_for_jobs([client.submit(job)])
    return stores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("errare", type=lambda path: Path(path).resolve())
    parser.add_argument("games", nargs="+", type=lambda path: Path(path).resolve())
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--store", required=True)
    parser.add_argument("--work", type=lambda path: Path(path).resolve(), default=Path("shards").resolve())
    parser.add_argument("--server", help="folder of a running server")
    arguments, more = parser.parse_known_args()
    arguments.more = [word for word in more if word != "--"]
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.server:
        stores = submit(Client(arguments.server), arguments)
    else:
        with LocalCluster(worker_config=WorkerConfig()) as cluster:
            stores = submit(cluster.client(), arguments)
    merge = [arguments.errare, "store", "merge", *stores, "--store", arguments.store]
    subprocess.run([str(word) for word in merge], check=True)


if __name__ == "__main__":
    main()

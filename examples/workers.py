"""Runs a command of errare with workers of its store under HyperQueue, for as long as it lasts.

    python workers.py errare --workers 4 --store tuning.sqlite -- tune assessed.epd --out mine.toml

A server and a worker of HyperQueue are started on this machine. On a cluster: `hq submit --array 1-16 errare work --store
postgres://…`, the command by itself, and `hq job cancel` when it has ended.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from hyperqueue import Job
from hyperqueue.cluster import LocalCluster, WorkerConfig


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("errare", type=lambda path: Path(path).resolve())
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--store", required=True, type=lambda store: store if "://" in store else Path(store).resolve())
    parser.add_argument("--work", type=lambda path: Path(path).resolve(), default=Path.cwd(), help="folder for logs")
    arguments, command = parser.parse_known_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    errare, store = str(arguments.errare), ["--store", str(arguments.store)]
    # Workers that wait for jobs hardly need a processor: as many run as were asked for.
    with LocalCluster(worker_config=WorkerConfig(cores=arguments.workers)) as cluster:
        job = Job(default_workdir=arguments.work)
        for _ in range(arguments.workers):
            job.program([errare, "work", *store, "--threads", "1", "--lease", "10"])
        cluster.client().submit(job)
        words = [word for word in command if word != "--"]
        sys.exit(subprocess.run([errare, *words, *store]).returncode)


if __name__ == "__main__":
    main()

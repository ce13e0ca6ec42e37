#!/usr/bin/env python3
"""A model of ranks that write one file, and a simulation of it. docs/scaling.md describes both.

usage: scaling_model.py [--check]

Prints a table of throughputs. First the simulation repeats what was measured on one machine, with
constants that were fitted to one and to two ranks. Then it goes on to a parallel file system with
1,000 ranks. With --check it prints nothing, and fails if it does not repeat the measurements.
"""
import heapq
import sys

MEGABYTE = 1e6
BLOCK = 4 << 20

# `sluice bench ranks` on tmpfs, in MB/s: the loop of write_at into one file, and one file for each
# rank. Medians of five rounds; the raw results are
# docs/measured/intel-ranks-openmpi-tmpfs-points-*.json. One and two ranks fit the model.
MEASURED = {1: (2854, 2884), 2: (2534, 4947), 4: (2192, 4591)}
TOLERANCE = 0.2


class Resource:
    """Serves up to `places` requests at the same time, in the order of their arrival."""

    def __init__(self, places):
        self.free = [0.0] * places

    def serve(self, arrival, seconds):
        end = max(arrival, heapq.heappop(self.free)) + seconds
        heapq.heappush(self.free, end)
        return end


class System:
    """The times of a write: in its node, and then at the server that has its part of the file."""

    def __init__(self, node_seconds, server_seconds, ranks_of_node, places_of_node, servers):
        self.node_seconds = node_seconds  # of a block, while it takes one of the node's places
        self.server_seconds = server_seconds
        self.ranks_of_node = ranks_of_node
        self.places_of_node = places_of_node
        self.servers = servers


def simulate(system, ranks, blocks, server_of):
    """Seconds until all ranks have written their blocks, one after another."""
    nodes = [Resource(system.places_of_node)
             for _ in range((ranks + system.ranks_of_node - 1) // system.ranks_of_node)]
    servers = [Resource(1) for _ in range(system.servers)]
    # Events in the order of their times: (time, number, rank, block, whether the node is done).
    events = [(0.0, rank, rank, 0, False) for rank in range(ranks)]
    heapq.heapify(events)
    number = ranks
    last = 0.0
    while events:
        now, _, rank, block, is_sent = heapq.heappop(events)
        if not is_sent:
            end = nodes[rank // system.ranks_of_node].serve(now, system.node_seconds)
            heapq.heappush(events, (end, number, rank, block, True))
        else:
            end = servers[server_of(rank, block)].serve(now, system.server_seconds)
            last = max(last, end)
            if block + 1 < blocks:
                heapq.heappush(events, (end, number, rank, block + 1, False))
        number += 1
    return last


def steps_seconds(steps, computing, writing, is_behind):
    """All ranks wait for each other in every step, and compute in it before they write."""
    if is_behind:
        return steps * max(computing, writing) + min(computing, writing)
    return steps * (computing + writing)


def throughput(seconds, ranks, blocks):
    return ranks * blocks * BLOCK / seconds / MEGABYTE


def this_machine(ranks, blocks=64):
    """The kernel copies a block while it holds the lock of the file: a server of one place.
    With one file for each rank, the two processors alone limit. A block takes longer when both
    processors work."""
    processors = min(ranks, 2)
    one_file, own_files = (BLOCK / (rate * MEGABYTE) for rate in MEASURED[processors])
    own_files *= processors
    shared = System(0, one_file, ranks, 2, 1)
    own = System(own_files, 0, ranks, 2, ranks)
    return (throughput(simulate(shared, ranks, blocks, lambda rank, block: 0), ranks, blocks),
            throughput(simulate(own, ranks, blocks, lambda rank, block: rank), ranks, blocks))


def parallel_file_system(stripes, ranks_of_node=64):
    """Assumed, not measured: a node's network moves 12.5 GB/s, a server of one stripe 2 GB/s and
    100 microseconds for each request; blocks fit into stripes, so no two ranks share a lock."""
    return System(BLOCK / 12.5e9, BLOCK / 2e9 + 100e-6, ranks_of_node, 1, stripes)


def spread(stripes):
    """A region of many blocks for each rank: the block's place in the file chooses the server."""
    return lambda rank, block: (rank * 17 + block) % stripes


def limit(ranks, stripes, block=BLOCK, ranks_of_node=64):
    """The model on paper, in GB/s: the slower one of the nodes and the servers."""
    nodes = -(-ranks // ranks_of_node) * 12.5
    servers = stripes * block / (block / 2e9 + 100e-6) / 1e9
    return min(nodes, servers)


def object_store(clients, part=64 << 20, stream=100e6, front_end=1e12, requests=5000):
    """The model on paper, in GB/s, all values assumed: a client's stream, the network of the store,
    and the parts that the store accepts in a second."""
    return min(clients * stream, front_end, requests * part) / 1e9


def check():
    wrong = []
    for ranks, measured in MEASURED.items():
        for simulated, value in zip(this_machine(ranks), measured):
            if abs(simulated / value - 1) > TOLERANCE:
                wrong.append(f"{ranks} ranks: measured {value}, simulated {simulated:.0f} MB/s")
    return wrong


def print_tables():
    print("this machine, tmpfs, MB/s  one file: measured simulated   own files: measured simulated")
    for ranks, (shared, own) in MEASURED.items():
        simulated = this_machine(ranks)
        print(f"{ranks:5} ranks {shared:25} {simulated[0]:9.0f} {own:20} {simulated[1]:9.0f}")
    print("\na parallel file system (assumed), GB/s: on paper, simulated")
    for ranks in (64, 256, 1000):
        for stripes in (1, 8, 64, 256):
            seconds = simulate(parallel_file_system(stripes), ranks, 16, spread(stripes))
            print(f"{ranks:5} ranks {stripes:4} stripes {limit(ranks, stripes):8.1f} "
                  f"{throughput(seconds, ranks, 16) / 1e3:8.1f}")
    print("\n1,000 ranks, 64 stripes, on paper, GB/s, by the size of a block")
    for block in (64 << 10, 1 << 20, 4 << 20, 16 << 20):
        print(f"{block >> 10:8} KiB {limit(1000, 64, block):8.1f}")
    writing = simulate(parallel_file_system(64), 1000, 16, spread(64)) / 16
    for name, is_behind in (("write, then compute", False), ("write behind", True)):
        seconds = steps_seconds(16, writing, writing, is_behind)
        print(f"1,000 ranks, 64 stripes, computing as long as writing, {name}: "
              f"{throughput(seconds, 1000, 16) / 1e3:.1f} GB/s")
    print("\nan object store (assumed), on paper, GB/s")
    for clients in (100, 1000, 10000):
        print(f"{clients:6} clients {object_store(clients):8.1f}; parts of 8 MiB "
              f"{object_store(clients, 8 << 20):8.1f}")


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit("\n".join(check()) or 0)
    print_tables()

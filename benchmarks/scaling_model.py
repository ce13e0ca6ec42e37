#!/usr/bin/env python3
"""A model of ranks that write one file, and a simulation of it. docs/scaling.md describes both.

Prints tables of throughputs. First the simulation repeats what was measured on one machine, with
constants that were fitted to one and to two ranks. Then it goes on to a parallel file system with
1,000 ranks, and to an object store. The values of these two are assumed: give those of your system.
With --check it prints nothing, and fails if it does not repeat the measurements.
"""
import argparse
import heapq
import sys

MEGABYTE = 1e6
BLOCK = 4 << 20
SLUICE_PART = 10 << 20  # of an object, as sluice/object.h says

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


def parallel_file_system(values, stripes):
    """Blocks fit into stripes, so no two ranks share a lock."""
    return System(BLOCK / values.node_speed, BLOCK / values.server_speed + values.request_time,
                  values.ranks_per_node, 1, stripes)


def spread(stripes):
    """A region of many blocks for each rank: the block's place in the file chooses the server."""
    return lambda rank, block: (rank * 17 + block) % stripes


def limit(values, ranks, stripes, block=BLOCK):
    """The model on paper, in GB/s: the slower one of the nodes and the servers."""
    nodes = -(-ranks // values.ranks_per_node)
    servers = stripes * block / (block / values.server_speed + values.request_time)
    return min(nodes * values.node_speed, servers) / 1e9


def object_store(values, clients, part):
    """The model on paper, in GB/s: a client's stream, the network of the store, and the parts that
    the store accepts in a second."""
    return min(clients * values.stream_speed, values.store_speed,
               values.parts_a_second * part) / 1e9


def check():
    wrong = []
    for ranks, measured in MEASURED.items():
        for simulated, value in zip(this_machine(ranks), measured):
            if abs(simulated / value - 1) > TOLERANCE:
                wrong.append(f"{ranks} ranks: measured {value}, simulated {simulated:.0f} MB/s")
    return wrong


def print_this_machine():
    print("this machine, tmpfs, MB/s  one file: measured simulated   own files: measured simulated")
    for ranks, (shared, own) in MEASURED.items():
        simulated = this_machine(ranks)
        print(f"{ranks:5} ranks {shared:25} {simulated[0]:9.0f} {own:20} {simulated[1]:9.0f}")


def print_file_system(values):
    print("\na parallel file system, GB/s: on paper, simulated")
    for ranks in values.ranks or (64, 256, 1000):
        for stripes in values.stripes or (1, 8, 64, 256):
            system = parallel_file_system(values, stripes)
            seconds = simulate(system, ranks, 16, spread(stripes))
            print(f"{ranks:5} ranks {stripes:4} stripes {limit(values, ranks, stripes):8.1f} "
                  f"{throughput(seconds, ranks, 16) / 1e3:8.1f}")
    ranks = (values.ranks or [1000])[-1]
    stripes = (values.stripes or [64])[-1]
    print(f"\n{ranks} ranks, {stripes} stripes, on paper, GB/s, by the size of a block")
    for block in (64 << 10, 1 << 20, 4 << 20, 16 << 20):
        print(f"{block >> 10:8} KiB {limit(values, ranks, stripes, block):8.1f}")
    system = parallel_file_system(values, stripes)
    writing = simulate(system, ranks, 16, spread(stripes)) / 16
    for name, is_behind in (("write, then compute", False), ("write behind", True)):
        seconds = steps_seconds(16, writing, writing, is_behind)
        print(f"{ranks} ranks, {stripes} stripes, computing as long as writing, {name}: "
              f"{throughput(seconds, ranks, 16) / 1e3:.1f} GB/s")


def print_object_store(values):
    print("\nan object store, on paper, GB/s, by the size of a part")
    for clients in values.clients or (100, 1000, 10000):
        sizes = ", ".join(f"{part >> 20} MiB {object_store(values, clients, part):.1f}"
                          for part in (8 << 20, SLUICE_PART, 64 << 20))
        print(f"{clients:6} clients: {sizes}")


def values_of(words):
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", maxsplit=1)[0],
        epilog="Speeds are bytes a second. The defaults are assumed, and not measured.")
    parser.add_argument("--check", action="store_true",
                        help="only compare the simulation with what was measured")
    several = {"type": positive, "nargs": "+", "metavar": "N"}
    system = parser.add_argument_group("a parallel file system")
    system.add_argument("--ranks", **several, help="ranks of the job; by default 64, 256 and 1000")
    system.add_argument("--ranks-per-node", type=positive, default=64,
                        help="ranks on a node (%(default)s)")
    system.add_argument("--node-speed", type=speed, default=12.5e9,
                        help="of a node's network (%(default)g)")
    system.add_argument("--stripes", **several,
                        help="stripes of the file; by default 1, 8, 64 and 256")
    system.add_argument("--server-speed", type=speed, default=2e9,
                        help="of the server that has one stripe (%(default)g)")
    system.add_argument("--request-time", type=float, default=100e-6,
                        help="seconds that a server needs for a request besides moving its bytes "
                             "(%(default)g)")
    store = parser.add_argument_group("an object store")
    store.add_argument("--clients", **several, help="by default 100, 1000 and 10000")
    store.add_argument("--stream-speed", type=speed, default=100e6,
                       help="of one client (%(default)g)")
    store.add_argument("--store-speed", type=speed, default=1e12,
                       help="of the store's network (%(default)g)")
    store.add_argument("--parts-a-second", type=speed, default=5000,
                       help="parts that the store accepts in a second (%(default)g)")
    return parser.parse_args(words)


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def speed(text):
    value = float(text)
    if not value > 0:
        raise ValueError
    return value


def main():
    values = values_of(sys.argv[1:])
    if values.check:
        sys.exit("\n".join(check()) or 0)
    print_this_machine()
    print_file_system(values)
    print_object_store(values)


if __name__ == "__main__":
    main()

"""Top talkers: sort the flow records by host with sort(1) and sum them per host."""
import math
import subprocess


def entropy(counts):
    total = sum(counts.values())
    return -sum(c / total * math.log2(c / total) for c in counts.values())


def emit(out, host, stat):
    out.write(f"{host:15s} {stat['flows']:6d} {stat['bytes']:10d} {entropy(stat['ports']):7.4f}\n")


def main():
    sort = subprocess.Popen(["sort", "-k1,1", "-k3,3n", "flows.txt"], bufsize=0,
                            stdout=subprocess.PIPE, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    hosts = {}
    current = stat = None
    with open("hosts.txt", "w") as out:
        while True:
            line = sort.stdout.readline()
            if not line:
                break
            host, proto, port, size = line.decode().split()
            if host != current:
                if stat:
                    emit(out, current, stat)
                current = host
                stat = hosts[host] = {"flows": 0, "bytes": 0, "ports": {}, "proto": {}}
            stat["flows"] += 1
            stat["bytes"] += int(size)
            bucket = int(port) >> 8
            stat["ports"][bucket] = stat["ports"].get(bucket, 0) + 1
            stat["proto"][proto] = stat["proto"].get(proto, 0) + int(size)
        if stat:
            emit(out, current, stat)
    sort.stdout.close()
    sort.wait()
    for host, s in sorted(hosts.items(), key=lambda x: -x[1]["bytes"])[:20]:
        print(host, s["bytes"], " ".join(f"{k}={v}" for k, v in sorted(s["proto"].items())))


main()

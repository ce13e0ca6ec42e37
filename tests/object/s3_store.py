"""Stores that speak S3, as processes on 127.0.0.1, and a small client that asks what they have."""
import contextlib
import datetime
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time
import urllib.parse

PATIENCE_S = 60  # only a failing test comes near it
KEY, SECRET, REGION = "TESTKEYID", "testsecretthatnobodyshouldsee", "us-east-1"
INSTALLED = pathlib.Path(__file__).resolve().parents[2] / "build" / "object" / "bin"


def program(name):
    """The path of an installed server, or None."""
    return shutil.which(name, path=f"{INSTALLED}{os.pathsep}{os.environ.get('PATH', '')}")


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def free_ports():
    """A free port whose number plus 10,000 is free too: SeaweedFS takes both."""
    while True:
        port = free_port()
        with contextlib.suppress(OSError, OverflowError), socket.socket() as second:
            second.bind(("127.0.0.1", port + 10_000))
            return port


def environment(secret=SECRET):
    """Where Arrow finds credentials. Nothing may be asked outside this machine."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return ours | {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": secret,
                   "AWS_EC2_METADATA_DISABLED": "true"}


class Client:
    """Asks a store with requests that are signed (AWS signature version 4)."""

    def __init__(self, port):
        self.port = port

    def request(self, method, path, query=(), body=b""):
        host = f"127.0.0.1:{self.port}"
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        scope = f"{now[:8]}/{REGION}/s3/aws4_request"
        digest = hashlib.sha256(body).hexdigest()
        words = "&".join(f"{urllib.parse.quote(name, safe='')}={urllib.parse.quote(value, safe='')}"
                         for name, value in sorted(query))
        names = "host;x-amz-content-sha256;x-amz-date"
        canonical = "\n".join([method, path, words, f"host:{host}",
                               f"x-amz-content-sha256:{digest}", f"x-amz-date:{now}", "", names,
                               digest])
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope,
                          hashlib.sha256(canonical.encode()).hexdigest()])
        key = f"AWS4{SECRET}".encode()
        for part in (now[:8], REGION, "s3", "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        with contextlib.closing(connection):
            connection.request(method, f"{path}?{words}" if words else path, body, {
                "Host": host, "x-amz-date": now, "x-amz-content-sha256": digest,
                "Authorization": f"AWS4-HMAC-SHA256 Credential={KEY}/{scope}, "
                                 f"SignedHeaders={names}, Signature={signature}"})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def make_bucket(self, bucket):
        status, answer = self.request("PUT", f"/{bucket}")
        assert status == 200, answer

    def put(self, bucket, name, content):
        status, answer = self.request("PUT", f"/{bucket}/{name}", body=content)
        assert status == 200, answer

    def objects(self, bucket):
        """The size of each object."""
        sizes = {}
        query = [("list-type", "2")]
        while True:
            status, answer = self.request("GET", f"/{bucket}", query)
            assert status == 200, answer
            for item in re.findall(r"<Contents>(.*?)</Contents>", answer.decode(), re.DOTALL):
                name = re.search(r"<Key>(.*?)</Key>", item)[1]
                sizes[name] = int(re.search(r"<Size>(\d+)</Size>", item)[1])
            token = re.search(r"<NextContinuationToken>(.*?)<", answer.decode())
            if not token:
                return sizes
            query = [("list-type", "2"), ("continuation-token", token[1])]

    def unfinished_uploads(self, bucket):
        """The names of the objects whose upload has begun and not ended."""
        status, answer = self.request("GET", f"/{bucket}", [("uploads", "")])
        assert status == 200, answer
        return re.findall(r"<Upload>.*?<Key>(.*?)</Key>", answer.decode(), re.DOTALL)

    def remove_all(self, bucket):
        """The objects, and the parts of unfinished uploads. Returns the number of these uploads."""
        for name in self.objects(bucket):
            status, answer = self.request("DELETE", f"/{bucket}/{name}")
            assert status in (200, 204), answer
        _, answer = self.request("GET", f"/{bucket}", [("uploads", "")])
        uploads = re.findall(r"<Upload>.*?</Upload>", answer.decode(), re.DOTALL)
        for upload in uploads:
            name, number = (re.search(rf"<{tag}>(.*?)</{tag}>", upload)[1]
                            for tag in ("Key", "UploadId"))
            status, answer = self.request("DELETE", f"/{bucket}/{name}", [("uploadId", number)])
            assert status in (200, 204, 404), answer  # its end may have come meanwhile
        return len(uploads)

    def content(self, bucket, name):
        status, answer = self.request("GET", f"/{bucket}/{name}")
        assert status == 200, answer
        return answer


class Process:
    """A server that is stopped in every case, by its own number."""

    def __init__(self, words, port, folder, **options):
        self.words, self.port, self.folder, self.options = words, port, folder, options
        self.process = None
        self.start()

    def start(self):
        log = open(pathlib.Path(self.folder, f"log-{self.port}"), "ab")
        with log:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, **self.options)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.kill()
                    raise
                time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


class Versity(Process):
    """versitygw over a folder. It refuses a wrong secret."""

    def __init__(self, folder):
        root = pathlib.Path(folder, "root")
        root.mkdir(exist_ok=True)
        port = free_port()
        super().__init__([program("versitygw"), "--access", KEY, "--secret", SECRET,
                          "--port", f"127.0.0.1:{port}", "--quiet", "posix", str(root)],
                         port, folder)
        self.client = Client(port)


def uri(bucket, name, port, *options):
    words = ["scheme=http", f"endpoint_override=127.0.0.1:{port}", f"region={REGION}", *options]
    return f"s3://{bucket}/{name}?{'&'.join(words)}"


OTHER_SERVERS_OFF = ("-s3.port.iceberg=0", "-s3.port.lance=0")  # they have fixed ports


class Seaweed:
    """SeaweedFS: a master, three volume servers of which two have each chunk, and S3 in front."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.processes = []
        try:
            self._start_all()
        except BaseException:
            self.stop()
            raise

    def _start_all(self):
        config = self.folder / "s3.json"
        config.write_text(json.dumps({"identities": [{
            "name": "test", "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}))
        master = free_ports()
        self._start("master", master, "-mdir", self._made("master"), "-defaultReplication=001",
                    "-volumeSizeLimitMB=256", "-telemetry=false")
        self.volumes = [
            self._start("volume", free_ports(), "-dir", self._made(f"volume{number}"), "-max=30",
                        f"-mserver=127.0.0.1:{master}", "-rack=one") for number in range(3)]
        port = free_ports()
        self.port = port
        self._start("filer", free_ports(), "-defaultStoreDir", self._made("filer"),
                    f"-master=127.0.0.1:{master}", "-s3", f"-s3.port={port}",
                    f"-s3.config={config}", *OTHER_SERVERS_OFF)
        self.client = Client(port)

    def _made(self, name):
        path = self.folder / name
        path.mkdir()
        return str(path)

    def _start(self, kind, port, *words):
        process = Process([program("weed"), kind, "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                           f"-port={port}", *words], port, self.folder, cwd=self.folder)
        self.processes.append(process)
        return process

    def make_bucket(self, bucket):
        """The parts of the store find each other in some seconds."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(OSError, AssertionError, http.client.HTTPException):
                self.client.make_bucket(bucket)
                return
            assert time.monotonic() < deadline, "the store did not start"
            time.sleep(0.2)

    def stop(self):
        for process in reversed(self.processes):
            process.kill()

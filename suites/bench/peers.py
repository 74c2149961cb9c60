"""The peers of the benchmarks: one case by one engine, one line of JSON.

    peers.py CASE ENGINE DIR ROWS

DIR is what `bench prepare` made: input/N.parquet for the writers, warehouse/default.db/t for the readers.
"""

import json
import os
import shutil
import sys
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

COMMITS = 10
SCHEMA = pa.schema([
    pa.field("id", pa.int64(), nullable=False),
    pa.field("version", pa.int64()),
    pa.field("category", pa.int32()),
    pa.field("amount", pa.float64()),
    pa.field("city", pa.string()),
    pa.field("note", pa.string()),
])


class Checks:
    """The sums of checks.rs."""

    def __init__(self):
        self.sums = [0] * 6

    def add(self, batch):
        def total(name, scale=1):
            if name not in batch.schema.names or batch.num_rows == 0:
                return 0
            return int((pc.sum(batch.column(name)).as_py() or 0) * scale)

        def letters(name):
            if name not in batch.schema.names or batch.num_rows == 0:
                return 0
            return pc.sum(pc.binary_length(batch.column(name))).as_py() or 0

        added = [batch.num_rows, total("id"), total("version"), total("category"), total("amount", 4),
                 letters("city") + letters("note")]
        self.sums = [a + b for a, b in zip(self.sums, added)]

    def __str__(self):
        return "/".join(map(str, self.sums))


class Clock:
    def __init__(self):
        self.rss = rss_bytes("VmRSS:")
        self.wall, self.cpu = time.perf_counter(), cpu_seconds()

    def stop(self, rows):
        seconds = time.perf_counter() - self.wall
        return {"rows": rows, "seconds": seconds, "rows_per_second": round(rows / seconds),
                "cpu_seconds": cpu_seconds() - self.cpu, "peak_rss_bytes": rss_bytes("VmHWM:"),
                "rss_at_start_bytes": self.rss}


def cpu_seconds():
    times = os.times()
    return times.user + times.system


def rss_bytes(which):
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(which):
                return int(line.split()[1]) * 1024
    return 0


def inputs(place):
    """The rows of every commit, each one batch, in memory before the clock starts."""
    tables = [pq.read_table(f"{place}/input/{commit}.parquet", schema=SCHEMA) for commit in range(COMMITS)]
    return [table.combine_chunks().to_batches()[0] for table in tables]


class PyPaimon:
    """The Python implementation, as it is configured by default: without its native parts."""

    def __init__(self, place):
        from pypaimon import CatalogFactory
        self.catalog = CatalogFactory.create({"warehouse": f"{place}/warehouse"})

    def create(self, keys, options):
        from pypaimon import Schema
        self.catalog.create_database("default", True)
        schema = Schema.from_pyarrow_schema(SCHEMA, primary_keys=keys, options=options)
        self.catalog.create_table("default.t", schema, False)

    def stream(self, batches):
        builder = self.catalog.get_table("default.t").new_stream_write_builder()
        write, commit = builder.new_write(), builder.new_commit()
        for identifier, batch in enumerate(batches, 1):
            write.write_arrow_batch(batch)
            commit.commit(write.prepare_commit(identifier), identifier)
        write.close()
        commit.close()

    def read_builder(self, columns=None, category=None):
        builder = self.catalog.get_table("default.t").new_read_builder()
        if category is not None:
            builder = builder.with_filter(builder.new_predicate_builder().equal("category", category))
        return builder.with_projection(columns) if columns else builder

    def plan(self, builder):
        return builder.new_scan().plan().splits()

    def planned(self, city):
        """Files and rows in a plan of one partition."""
        builder = self.catalog.get_table("default.t").new_read_builder()
        splits = self.plan(builder.with_filter(builder.new_predicate_builder().equal("city", city)))
        return sum(len(split.files) for split in splits), sum(split.row_count for split in splits)

    def read(self, **what):
        builder = self.read_builder(**what)
        yield from builder.new_read().to_arrow_batch_reader(self.plan(builder))


class PyPaimonRust:
    """The Rust implementation with Python bindings. Tables are created by PyPaimon: the bindings cannot but by SQL."""

    def __init__(self, place):
        from pypaimon_rust.datafusion import PaimonCatalog
        self.place = place
        self.catalog = PaimonCatalog({"warehouse": f"{place}/warehouse"})

    def create(self, keys, options):
        PyPaimon(self.place).create(keys, options)

    def stream(self, batches):
        builder = self.catalog.get_table("default.t").new_stream_write_builder()
        write, commit = builder.new_write(), builder.new_commit()
        for identifier, batch in enumerate(batches, 1):
            write.write_arrow(batch)
            commit.commit(identifier, write.prepare_commit(True, identifier))
        write.close()
        commit.close()

    def read_builder(self, columns=None, category=None):
        builder = self.catalog.get_table("default.t").new_read_builder()
        if category is not None:
            builder = builder.with_filter({"method": "equal", "field": "category", "literals": [category]})
        return builder.with_projection(columns) if columns else builder

    def plan(self, builder):
        return builder.new_scan().plan().splits()

    def planned(self, city):
        """Rows in a plan of one partition; splits do not tell their files."""
        builder = self.catalog.get_table("default.t").new_read_builder()
        splits = self.plan(builder.with_filter({"method": "equal", "field": "city", "literals": [city]}))
        return None, sum(split.row_count() for split in splits)

    def read(self, **what):
        builder = self.read_builder(**what)
        yield from builder.new_read().read_arrow(self.plan(builder))


class DeltaLake:
    def __init__(self, place):
        self.path = f"{place}/warehouse/delta"

    def create(self, keys, options):
        from deltalake import DeltaTable
        os.makedirs(self.path)
        DeltaTable.create(self.path, SCHEMA)

    def stream(self, batches):
        from deltalake import WriterProperties, write_deltalake
        # As Paimon's default.
        properties = WriterProperties(compression="ZSTD", compression_level=1)
        for batch in batches:
            write_deltalake(self.path, batch, mode="append", writer_properties=properties)

    def read(self):
        from deltalake import DeltaTable
        yield from DeltaTable(self.path).to_pyarrow_dataset().to_batches()


class DuckDB:
    """Reads the Parquet files as such: no merge, no table format."""

    def __init__(self, place):
        import duckdb
        self.connection = duckdb.connect()
        with open(f"{place}/live") as live:
            self.files = live.read().splitlines()

    def read(self):
        relation = self.connection.read_parquet(self.files)
        # Twice as fast as to_arrow_reader, which decodes on one thread.
        yield from relation.select(*SCHEMA.names).to_arrow_table().to_batches()


ENGINES = {"deltalake": DeltaLake, "duckdb": DuckDB, "pypaimon": PyPaimon, "pypaimon-rust": PyPaimonRust}


def fold(batches):
    checks = Checks()
    for batch in batches:
        checks.add(batch)
    return str(checks)


def write(engine, place, rows, keys, options):
    batches = inputs(place)
    # Imports on first use are not what is measured.
    warm = ENGINES[engine](f"{place}/warm")
    warm.create(keys, options)
    warm.stream([batches[0].slice(0, 1000)])
    shutil.rmtree(f"{place}/warm")
    peer = ENGINES[engine](place)
    peer.create(keys, options)
    clock = Clock()
    peer.stream(batches)
    line = clock.stop(rows)
    return read_back(peer, line)


def read_back(peer, line):
    started = time.perf_counter()
    line["checks"] = fold(peer.read())
    line["read_back_seconds"] = time.perf_counter() - started
    return line


def scan(engine, place, rows, merges=True, **what):
    # Headwater reads once before the clock, too.
    fold(ENGINES[engine](place).read(**what))
    peer = ENGINES[engine](place)
    clock = Clock()
    checks = fold(peer.read(**what))
    # What is merged is counted as stored, what is not as returned.
    line = clock.stop(rows if merges else int(checks.split("/")[0]))
    return {**line, "checks": checks}


def planning(engine, place, rows):
    """The median of plans, each by a catalog of its own."""
    times = []
    clock = Clock()
    # As many as in plan.rs, so that processor times compare.
    for _ in range(21):
        started = time.perf_counter()
        files, planned = ENGINES[engine](place).planned("city-17")
        times.append(time.perf_counter() - started)
    line = clock.stop(rows)
    line["seconds"] = sorted(times)[len(times) // 2]
    line["rows_per_second"] = round(rows / line["seconds"])
    # Ten commits of twenty buckets each make the files; see plan.rs.
    return {**line, "checks": f"{rows // 50 if files is None else files}/{planned}"}


def commits(engine, place, rows):
    peer = ENGINES[engine](place)
    peer.create(["id"], {"bucket": "1"})
    batches = [whole.slice(start, 100) for whole in inputs(place) for start in range(0, whole.num_rows, 100)]
    times = []

    def timed():
        for batch in batches:
            started = time.perf_counter()
            yield batch
            times.append(time.perf_counter() - started)

    clock = Clock()
    peer.stream(timed())
    line = clock.stop(rows)
    for name, part in ("first_hundred_ms", times[:100]), ("last_hundred_ms", times[-100:]):
        line[name] = sorted(part)[len(part) // 2] * 1000
    return read_back(peer, line)


CASES = {
    "upsert-compact": lambda *case: write(*case, ["id"], {"bucket": "2", "write-only": "false"}),
    "upsert-write-only": lambda *case: write(*case, ["id"], {"bucket": "2", "write-only": "true"}),
    "scan-merge-on-read": scan,
    "scan-filter": lambda *case: scan(*case, columns=["id", "amount"], category=7),
    "scan-compacted": lambda *case: scan(*case, merges=False),
    "planning": planning,
    "commits": commits,
    "append": lambda *case: write(*case, [], {"bucket": "-1"}),
}


def main():
    case, engine, place, rows = sys.argv[1:]
    line = CASES[case](engine, place, int(rows))
    print(json.dumps({"case": case, "engine": engine, **line}), flush=True)
    # Without the ends of native threads, some of which abort now and then.
    os._exit(0)


if __name__ == "__main__":
    main()

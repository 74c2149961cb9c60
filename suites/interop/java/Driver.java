import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.paimon.types.RowKind;

/**
 * Plays commands against the Java reference, one a line on standard input:
 *
 * <pre>
 * create PATH {"columns":[["k","INT NOT NULL"],…],"primaryKeys":[…],"partitionKeys":[…],"options":{…}}
 * write PATH [["+I",1,"a"],…]        one commit
 * compact PATH full|auto             every bucket, one commit
 * read PATH [{"scan.snapshot-id":"2"}]   rows, sorted
 * files PATH                         live files, sorted
 * </pre>
 *
 * Each answer is its lines, then a line ".ok" or ".error MESSAGE".
 */
public final class Driver {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                String[] words = line.split(" ", 3);
                for (String answer : play(words[0], words[1], words.length > 2 ? words[2] : "")) {
                    out.println(answer);
                }
                out.println(".ok");
            } catch (Throwable error) {
                Throwable cause = error;
                while (cause.getCause() != null) {
                    cause = cause.getCause();
                }
                out.println(".error " + String.valueOf(cause).replace('\n', ' '));
            }
            out.flush();
        }
        System.exit(0);
    }

    private static List<String> play(String verb, String path, String rest) throws Exception {
        switch (verb) {
            case "create":
                create(path, JSON.readTree(rest));
                return Collections.emptyList();
            case "write":
                write(open(path, Collections.emptyMap()), JSON.readTree(rest));
                return Collections.emptyList();
            case "compact":
                compact(open(path, Collections.emptyMap()), rest.equals("full"));
                return Collections.emptyList();
            case "read":
                return read(open(path, rest.isEmpty() ? Collections.emptyMap() : strings(JSON.readTree(rest))));
            case "files":
                return files(open(path, Collections.emptyMap()));
            default:
                throw new IllegalArgumentException("no command " + verb);
        }
    }

    private static FileStoreTable open(String path, Map<String, String> options) {
        FileStoreTable table = FileStoreTableFactory.create(LocalFileIO.create(), new Path(path));
        return options.isEmpty() ? table : table.copy(options);
    }

    private static Map<String, String> strings(JsonNode object) {
        Map<String, String> map = new HashMap<>();
        object.fields().forEachRemaining(entry -> map.put(entry.getKey(), entry.getValue().asText()));
        return map;
    }

    private static List<String> list(JsonNode array) {
        List<String> list = new ArrayList<>();
        if (array != null) {
            array.forEach(node -> list.add(node.asText()));
        }
        return list;
    }

    private static void create(String path, JsonNode json) throws Exception {
        Schema.Builder schema = Schema.newBuilder();
        for (JsonNode column : json.get("columns")) {
            schema.column(column.get(0).asText(), DataTypeJsonParser.parseDataType(column.get(1)));
        }
        schema.primaryKey(list(json.get("primaryKeys")));
        schema.partitionKeys(list(json.get("partitionKeys")));
        if (json.get("options") != null) {
            schema.options(strings(json.get("options")));
        }
        new SchemaManager(LocalFileIO.create(), new Path(path)).createTable(schema.build());
    }

    private static BatchTableWrite writer(BatchWriteBuilder builder) {
        BatchTableWrite write = builder.newWrite();
        write.withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")));
        return write;
    }

    private static void write(FileStoreTable table, JsonNode rows) throws Exception {
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (BatchTableWrite write = writer(builder);
                BatchTableCommit commit = builder.newCommit()) {
            for (JsonNode row : rows) {
                RowKind kind = RowKind.fromShortString(row.get(0).asText());
                write.write(JsonValues.row(row, 1, table.rowType().getFields(), kind));
            }
            commit.commit(write.prepareCommit());
        }
    }

    private static void compact(FileStoreTable table, boolean full) throws Exception {
        FileStoreTable compacting = table.copy(Collections.singletonMap("write-only", "false"));
        BatchWriteBuilder builder = compacting.newBatchWriteBuilder();
        try (BatchTableWrite write = writer(builder);
                BatchTableCommit commit = builder.newCommit()) {
            for (String bucket : buckets(compacting)) {
                int at = bucket.lastIndexOf(' ');
                BinaryRow partition = PARTITIONS.get(bucket.substring(0, at));
                write.compact(partition, Integer.parseInt(bucket.substring(at + 1)), full);
            }
            commit.commit(write.prepareCommit());
        }
    }

    private static final Map<String, BinaryRow> PARTITIONS = new HashMap<>();

    /** "PARTITION BUCKET" of every bucket with files; the partition's row is kept in PARTITIONS. */
    private static List<String> buckets(FileStoreTable table) {
        List<String> buckets = new ArrayList<>();
        for (ManifestEntry entry : table.store().newScan().plan().files()) {
            String partition = CanonicalJson.hex(entry.partition().toBytes());
            PARTITIONS.put(partition, entry.partition().copy());
            String bucket = partition + " " + entry.bucket();
            if (!buckets.contains(bucket)) {
                buckets.add(bucket);
            }
        }
        return buckets;
    }

    private static List<String> read(FileStoreTable table) throws Exception {
        ReadBuilder builder = table.newReadBuilder();
        List<DataField> fields = table.rowType().getFields();
        List<String> rows = new ArrayList<>();
        try (RecordReader<InternalRow> reader =
                builder.newRead()
                        .withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")))
                        .createReader(builder.newScan().plan())) {
            reader.forEachRemaining(row -> rows.add(CanonicalJson.row(row, fields)));
        }
        rows.sort((a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b)));
        return rows;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** One line a live file: partition (hex of its row), bucket, level, rows, deletes, sequence range. */
    private static List<String> files(FileStoreTable table) {
        List<String> lines = new ArrayList<>();
        for (ManifestEntry entry : table.store().newScan().plan().files()) {
            DataFileMeta file = entry.file();
            lines.add(
                    String.format(
                            "%s bucket=%d level=%d rows=%d deletes=%s seq=%d..%d source=%s",
                            CanonicalJson.hex(entry.partition().toBytes()),
                            entry.bucket(),
                            file.level(),
                            file.rowCount(),
                            file.deleteRowCount().map(String::valueOf).orElse("?"),
                            file.minSequenceNumber(),
                            file.maxSequenceNumber(),
                            file.fileSource().map(String::valueOf).orElse("?")));
        }
        Collections.sort(lines);
        return lines;
    }
}

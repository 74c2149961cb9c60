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
import java.util.UUID;
import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.append.AppendCompactCoordinator;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.StreamTableScan;
import org.apache.paimon.table.source.TableScan;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.paimon.types.RowKind;

/**
 * Plays commands against the Java reference, one a line on standard input:
 *
 * <pre>
 * create PATH {"columns":[["k","INT NOT NULL"],…],"primaryKeys":[…],"partitionKeys":[…],"options":{…}}
 * write PATH {"options":{…},"rows":[["+I",1,"a"],…]}   one commit of a batch writer
 * streamWrite PATH {…,"identifier":1}                  one commit of a writer that stays open
 * streamClose PATH {}
 * compact PATH {"full":true,"options":{…}}             every bucket, one commit
 * delete PATH {"column":"k","value":"1"}               rows of a table without primary key, by a value in JSON
 * overwrite PATH {"partition":{…},"options":{…},"rows":[…]}
 * truncate PATH {} | dropPartition PATH {"p":"1"} | tag PATH {"name":"t","snapshot":1}
 * alter PATH ["add","c","INT","after","b"]             also drop, rename, type, nullable, comment, default, move, set, unset
 * read PATH {"scan.snapshot-id":"2"}                   rows, sorted
 * stream PATH {…}                                      kinds and rows in order, up to the latest snapshot
 * snapshots PATH {"after":0}                           what each snapshot did to the files
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
        JsonNode json = JSON.readTree(rest.isEmpty() ? "{}" : rest);
        switch (verb) {
            case "read":
                return read(open(path, strings(json)));
            case "stream":
                return stream(open(path, strings(json)));
            case "snapshots":
                return Facts.after(open(path, Collections.emptyMap()), json.get("after").asLong());
            default:
                change(verb, path, json);
                return Collections.emptyList();
        }
    }

    private static void change(String verb, String path, JsonNode json) throws Exception {
        if (verb.equals("create")) {
            create(path, json);
            return;
        }
        FileStoreTable table = open(path, json.has("options") ? strings(json.get("options")) : Collections.emptyMap());
        switch (verb) {
            case "write":
                write(table, table.newBatchWriteBuilder(), json.get("rows"));
                break;
            case "overwrite":
                write(table, table.newBatchWriteBuilder().withOverwrite(strings(json.get("partition"))), json.get("rows"));
                break;
            case "streamWrite":
                Streams.write(path, table, json);
                break;
            case "streamClose":
                Streams.close(path);
                break;
            case "compact":
                compact(table, json.get("full").asBoolean());
                break;
            case "delete":
                Deletes.run(table, json.get("column").asText(), json.get("value").asText());
                break;
            case "truncate":
                try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
                    commit.truncateTable();
                }
                break;
            case "dropPartition":
                try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
                    commit.truncatePartitions(Collections.singletonList(strings(json)));
                }
                break;
            case "tag":
                if (json.get("snapshot").isNull()) {
                    table.createTag(json.get("name").asText());
                } else {
                    table.createTag(json.get("name").asText(), json.get("snapshot").asLong());
                }
                break;
            case "alter":
                new SchemaManager(LocalFileIO.create(), new Path(path)).commitChanges(alteration(json));
                break;
            default:
                throw new IllegalArgumentException("no command " + verb);
        }
    }

    private static SchemaChange alteration(JsonNode words) {
        String[] column = words.get(1).asText().split("\\.");
        switch (words.get(0).asText()) {
            case "add":
                return SchemaChange.addColumn(
                        column, DataTypeJsonParser.parseDataType(words.get(2)), null, move(column, words, 3));
            case "drop":
                return SchemaChange.dropColumn(column);
            case "rename":
                return SchemaChange.renameColumn(column, words.get(2).asText());
            case "type":
                return SchemaChange.updateColumnType(column, DataTypeJsonParser.parseDataType(words.get(2)), true);
            case "nullable":
                return SchemaChange.updateColumnNullability(column, words.get(2).asBoolean());
            case "comment":
                return SchemaChange.updateColumnComment(column, words.get(2).asText());
            case "default":
                return SchemaChange.updateColumnDefaultValue(column, words.get(2).asText());
            case "move":
                return SchemaChange.updateColumnPosition(move(column, words, 2));
            case "set":
                return SchemaChange.setOption(words.get(1).asText(), words.get(2).asText());
            case "unset":
                return SchemaChange.removeOption(words.get(1).asText());
            default:
                throw new IllegalArgumentException("no change " + words);
        }
    }

    /** The place that words from there on name; null without one. */
    private static SchemaChange.Move move(String[] column, JsonNode words, int from) {
        if (words.size() <= from) {
            return null;
        }
        String name = column[column.length - 1];
        switch (words.get(from).asText()) {
            case "first":
                return SchemaChange.Move.first(name);
            case "last":
                return SchemaChange.Move.last(name);
            case "after":
                return SchemaChange.Move.after(name, words.get(from + 1).asText());
            default:
                return SchemaChange.Move.before(name, words.get(from + 1).asText());
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

    static BatchTableWrite writer(BatchWriteBuilder builder) {
        BatchTableWrite write = builder.newWrite();
        write.withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")));
        return write;
    }

    private static void write(FileStoreTable table, BatchWriteBuilder builder, JsonNode rows) throws Exception {
        try (BatchTableWrite write = writer(builder);
                BatchTableCommit commit = builder.newCommit()) {
            for (JsonNode row : rows) {
                write.write(row(table, row));
            }
            commit.commit(write.prepareCommit());
        }
    }

    static InternalRow row(FileStoreTable table, JsonNode row) {
        return JsonValues.row(row, 1, table.rowType().getFields(), RowKind.fromShortString(row.get(0).asText()));
    }

    private static void compact(FileStoreTable table, boolean full) throws Exception {
        FileStoreTable compacting = table.copy(Collections.singletonMap("write-only", "false"));
        if (compacting.bucketMode() == BucketMode.BUCKET_UNAWARE) {
            compactWithoutBuckets(compacting);
            return;
        }
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

    /** Rounds of the coordinator until it has seen the snapshot, then one commit of all its tasks. */
    private static void compactWithoutBuckets(FileStoreTable table) throws Exception {
        String user = UUID.randomUUID().toString();
        List<AppendCompactTask> tasks = new ArrayList<>();
        AppendCompactCoordinator coordinator = new AppendCompactCoordinator(table, false);
        try {
            while (true) {
                tasks.addAll(coordinator.run());
            }
        } catch (EndOfScanException end) {
            // Everything has been looked at.
        }
        List<CommitMessage> messages = new ArrayList<>();
        BaseAppendFileStoreWrite write = ((AppendOnlyFileStore) table.store()).newWrite(user);
        try (TableCommitImpl commit = table.newCommit(user)) {
            for (AppendCompactTask task : tasks) {
                messages.add(task.doCompact(table, write));
            }
            commit.commit(BatchWriteBuilder.COMMIT_IDENTIFIER, messages);
        } finally {
            write.close();
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

    /** Plans until the latest snapshot has been seen. */
    private static List<String> stream(FileStoreTable table) throws Exception {
        ReadBuilder builder = table.newReadBuilder();
        List<DataField> fields = table.rowType().getFields();
        StreamTableScan scan = builder.newStreamScan();
        List<String> rows = new ArrayList<>();
        Long latest = table.snapshotManager().latestSnapshotId();
        for (int plans = 0; latest != null && plans < 1000; plans++) {
            TableScan.Plan plan = scan.plan();
            try (RecordReader<InternalRow> reader =
                    builder.newRead()
                            .withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")))
                            .createReader(plan)) {
                reader.forEachRemaining(
                        row -> rows.add(row.getRowKind().shortString() + " " + CanonicalJson.row(row, fields)));
            }
            Long next = scan.checkpoint();
            if (next != null && next > latest) {
                break;
            }
        }
        return rows;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

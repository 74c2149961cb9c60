import java.util.HashMap;
import java.util.Map;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.apache.paimon.table.sink.StreamTableWrite;
import org.apache.paimon.table.sink.StreamWriteBuilder;

/** Streaming writers that stay open between commands, one a table. */
final class Streams {
    private static final Map<String, Streams> OPEN = new HashMap<>();

    private final FileStoreTable table;
    private final StreamTableWrite write;
    private final StreamTableCommit commit;

    private Streams(FileStoreTable table) {
        this.table = table;
        StreamWriteBuilder builder = table.newStreamWriteBuilder().withCommitUser("lab");
        this.write = builder.newWrite();
        this.write.withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")));
        this.commit = builder.newCommit();
    }

    static void write(String path, FileStoreTable table, JsonNode json) throws Exception {
        Streams stream = OPEN.computeIfAbsent(path, key -> new Streams(table));
        try {
            for (JsonNode row : json.get("rows")) {
                stream.write.write(Driver.row(stream.table, row));
            }
            long identifier = json.get("identifier").asLong();
            stream.commit.commit(identifier, stream.write.prepareCommit(true, identifier));
        } catch (Exception error) {
            close(path);
            throw error;
        }
    }

    static void close(String path) throws Exception {
        Streams stream = OPEN.remove(path);
        if (stream != null) {
            stream.write.close();
            stream.commit.close();
        }
    }
}

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataType;

/** DELETE on tables without primary key as engines do it: files that lose rows are written anew, in one commit. */
final class Deletes {

    private Deletes() {}

    static void run(FileStoreTable table, String column, String value) throws Exception {
        FileStoreTable writing = table.copy(Collections.singletonMap("write-only", "true"));
        int index = table.rowType().getFieldIndex(column);
        DataType type = table.rowType().getTypeAt(index);
        InternalRow.FieldGetter getter = InternalRow.createFieldGetter(type, index);
        Predicate<InternalRow> goes =
                row -> {
                    Object found = getter.getFieldOrNull(row);
                    return found != null && CanonicalJson.value(found, type).equals(value);
                };
        BatchWriteBuilder builder = writing.newBatchWriteBuilder();
        List<CommitMessage> messages = new ArrayList<>();
        try (BatchTableWrite write = Driver.writer(builder);
                BatchTableCommit commit = builder.newCommit()) {
            for (Split split : table.newReadBuilder().newScan().plan().splits()) {
                DataSplit data = (DataSplit) split;
                for (int at = 0; at < data.dataFiles().size(); at++) {
                    DataFileMeta file = data.dataFiles().get(at);
                    DataSplit alone = alone(data, at);
                    boolean[] touched = {false};
                    read(table, alone, row -> touched[0] |= goes.test(row));
                    if (!touched[0]) {
                        continue;
                    }
                    read(
                            table,
                            alone,
                            row -> {
                                if (!goes.test(row)) {
                                    write.write(row);
                                }
                            });
                    messages.add(
                            new CommitMessageImpl(
                                    data.partition(),
                                    data.bucket(),
                                    data.totalBuckets(),
                                    new DataIncrement(
                                            Collections.emptyList(),
                                            Collections.singletonList(file),
                                            Collections.emptyList()),
                                    CompactIncrement.emptyIncrement()));
                }
            }
            messages.addAll(write.prepareCommit());
            if (!messages.isEmpty()) {
                commit.commit(messages);
            }
        }
    }

    private interface RowConsumer {
        void accept(InternalRow row) throws Exception;
    }

    private static void read(FileStoreTable table, DataSplit split, RowConsumer consumer) throws Exception {
        ReadBuilder builder = table.newReadBuilder();
        try (RecordReader<InternalRow> reader =
                builder.newRead()
                        .withIOManager(IOManager.create(System.getProperty("java.io.tmpdir")))
                        .createReader(split)) {
            RecordReader.RecordIterator<InternalRow> batch;
            while ((batch = reader.readBatch()) != null) {
                InternalRow row;
                while ((row = batch.next()) != null) {
                    consumer.accept(row);
                }
                batch.releaseBatch();
            }
        }
    }

    /** One file of a split. */
    private static DataSplit alone(DataSplit split, int at) {
        DataSplit.Builder builder =
                DataSplit.builder()
                        .withSnapshot(split.snapshotId())
                        .withPartition(split.partition())
                        .withBucket(split.bucket())
                        .withBucketPath(split.bucketPath())
                        .withTotalBuckets(split.totalBuckets())
                        .withDataFiles(Collections.singletonList(split.dataFiles().get(at)))
                        .rawConvertible(true)
                        .isStreaming(false);
        if (split.deletionFiles().isPresent()) {
            List<DeletionFile> deletions = split.deletionFiles().get();
            builder.withDataDeletionFiles(Collections.singletonList(deletions.get(at)));
        }
        return builder.build();
    }
}

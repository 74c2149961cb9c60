import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryArray;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestFile;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.FileStoreTable;

/** What snapshots did to the files of a table; Headwater prints the same lines (suites/src/scenario/facts.rs). */
final class Facts {
    private Facts() {}

    static List<String> after(FileStoreTable table, long after) throws Exception {
        List<String> lines = new ArrayList<>();
        Long latest = table.snapshotManager().latestSnapshotId();
        for (long id = after + 1; latest != null && id <= latest; id++) {
            if (table.snapshotManager().snapshotExists(id)) {
                snapshot(table, table.snapshotManager().snapshot(id), lines);
            }
        }
        return lines;
    }

    private static void snapshot(FileStoreTable table, Snapshot snapshot, List<String> lines) {
        ManifestList lists = table.store().manifestListFactory().create();
        ManifestFile manifests = table.store().manifestFileFactory().create();
        List<ManifestEntry> entries = new ArrayList<>();
        for (ManifestFileMeta meta : lists.readDeltaManifests(snapshot)) {
            entries.addAll(manifests.read(meta.fileName(), meta.fileSize()));
        }
        Set<String> gone = new HashSet<>();
        for (ManifestEntry entry : entries) {
            if (entry.kind() == FileKind.DELETE) {
                gone.add(entry.file().fileName());
            }
        }
        List<String> files = new ArrayList<>();
        for (ManifestEntry entry : entries) {
            files.add(file(entry, entry.kind() == FileKind.ADD && gone.contains(entry.file().fileName())));
        }
        Collections.sort(files);
        lines.add(
                String.format(
                        "snapshot %d %s schema=%d total=%s delta=%s changelog=%s",
                        snapshot.id(),
                        snapshot.commitKind(),
                        snapshot.schemaId(),
                        snapshot.totalRecordCount(),
                        snapshot.deltaRecordCount(),
                        snapshot.changelogRecordCount()));
        lines.addAll(files);
    }

    private static String file(ManifestEntry entry, boolean moved) {
        DataFileMeta file = entry.file();
        String columns = file.valueStatsCols() == null ? "all" : "[" + String.join(",", file.valueStatsCols()) + "]";
        return String.format(
                "  %s%s p=%s b%d/%d L%d rows=%d deletes=%s seq=%d..%d key=%s..%s schema=%d source=%s keystats=%s stats=%s cols=%s",
                entry.kind(),
                moved ? " moved" : "",
                CanonicalJson.hex(entry.partition().toBytes()),
                entry.bucket(),
                entry.totalBuckets(),
                file.level(),
                file.rowCount(),
                file.deleteRowCount().map(String::valueOf).orElse("?"),
                file.minSequenceNumber(),
                file.maxSequenceNumber(),
                CanonicalJson.hex(file.minKey().toBytes()),
                CanonicalJson.hex(file.maxKey().toBytes()),
                file.schemaId(),
                file.fileSource().map(String::valueOf).orElse("?"),
                stats(file.keyStats()),
                stats(file.valueStats()),
                columns);
    }

    private static String stats(SimpleStats stats) {
        BinaryArray counts = stats.nullCounts();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            texts.add(counts.isNullAt(i) ? "?" : String.valueOf(counts.getLong(i)));
        }
        return CanonicalJson.hex(stats.minValues().toBytes())
                + "/"
                + CanonicalJson.hex(stats.maxValues().toBytes())
                + "/"
                + String.join(",", texts);
    }
}

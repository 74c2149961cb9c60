import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.variant.Variant;
import org.apache.paimon.types.*;

/** Rows as the canonical JSON that testdata/fixtures/README.md defines. */
final class CanonicalJson {
    private CanonicalJson() {}

    static String row(InternalRow row, List<DataField> fields) {
        StringBuilder out = new StringBuilder("{");
        for (int i = 0; i < fields.size(); i++) {
            DataField field = fields.get(i);
            out.append(i == 0 ? "" : ",").append(text(field.name())).append(':');
            out.append(value(InternalRow.createFieldGetter(field.type(), i).getFieldOrNull(row), field.type()));
        }
        return out.append('}').toString();
    }

    static String value(Object value, DataType type) {
        if (value == null) {
            return "null";
        }
        switch (type.getTypeRoot()) {
            case BOOLEAN:
            case TINYINT:
            case SMALLINT:
            case INTEGER:
                return value.toString();
            case BIGINT:
                return bigint((Long) value);
            case FLOAT:
            case DOUBLE:
                return floating((Number) value);
            case DECIMAL:
                return '"' + decimal((Decimal) value, (DecimalType) type) + '"';
            case CHAR:
            case VARCHAR:
                return text(value.toString());
            case BINARY:
            case VARBINARY:
                return '"' + hex((byte[]) value) + '"';
            case DATE:
                return '"' + LocalDate.ofEpochDay((Integer) value).toString() + '"';
            case TIME_WITHOUT_TIME_ZONE:
                return '"' + time((Integer) value) + '"';
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return '"' + timestamp((Timestamp) value, ((TimestampType) type).getPrecision()) + '"';
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return '"' + timestamp((Timestamp) value, ((LocalZonedTimestampType) type).getPrecision()) + "Z\"";
            case BLOB:
                return '"' + hex(((Blob) value).toData()) + '"';
            case VARIANT:
                return text(((Variant) value).toJson());
            default:
                return nested(value, type);
        }
    }

    private static String nested(Object value, DataType type) {
        switch (type.getTypeRoot()) {
            case ARRAY:
                return array((InternalArray) value, ((ArrayType) type).getElementType());
            case VECTOR:
                return array((InternalArray) value, ((VectorType) type).getElementType());
            case MAP:
                return map((InternalMap) value, ((MapType) type).getKeyType(), ((MapType) type).getValueType());
            case MULTISET:
                return map((InternalMap) value, ((MultisetType) type).getElementType(), new IntType(false));
            case ROW:
                return row((InternalRow) value, ((RowType) type).getFields());
            default:
                throw new IllegalArgumentException("no canonical JSON for " + type);
        }
    }

    private static String array(InternalArray array, DataType element) {
        InternalArray.ElementGetter getter = InternalArray.createElementGetter(element);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            parts.add(value(getter.getElementOrNull(array, i), element));
        }
        return "[" + String.join(",", parts) + "]";
    }

    private static String map(InternalMap map, DataType key, DataType value) {
        InternalArray.ElementGetter keys = InternalArray.createElementGetter(key);
        InternalArray.ElementGetter values = InternalArray.createElementGetter(value);
        List<String[]> entries = new ArrayList<>();
        for (int i = 0; i < map.size(); i++) {
            String keyText = value(keys.getElementOrNull(map.keyArray(), i), key);
            String valueText = value(values.getElementOrNull(map.valueArray(), i), value);
            entries.add(new String[] {keyText, valueText});
        }
        entries.sort((a, b) -> Arrays.compareUnsigned(bytes(a[0]), bytes(b[0])));
        List<String> parts = new ArrayList<>();
        for (String[] entry : entries) {
            parts.add("[" + entry[0] + "," + entry[1] + "]");
        }
        return "[" + String.join(",", parts) + "]";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String bigint(long value) {
        long exact = 1L << 53;
        return value >= -exact && value <= exact ? Long.toString(value) : '"' + Long.toString(value) + '"';
    }

    private static String floating(Number value) {
        double number = value.doubleValue();
        if (Double.isNaN(number)) {
            return "\"NaN\"";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
        }
        return value instanceof Float ? shortest((Float) value) : value.toString();
    }

    /** The fewest digits that read back to the same 32 bits; Float.toString of Java 17 sometimes gives more, and others. */
    private static String shortest(float value) {
        if (value == 0) {
            return Float.toString(value);
        }
        BigDecimal exact = new BigDecimal((double) value);
        for (int digits = 1; digits < 10; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits));
            if (rounded.floatValue() == value) {
                return Double.toString(rounded.doubleValue());
            }
        }
        return Float.toString(value);
    }

    private static String decimal(Decimal value, DecimalType type) {
        BigDecimal exact = value.toBigDecimal().setScale(type.getScale());
        return exact.toPlainString();
    }

    private static String time(int millis) {
        return String.format(
                "%02d:%02d:%02d.%03d", millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60, millis % 1000);
    }

    private static String timestamp(Timestamp value, int precision) {
        LocalDateTime time = value.toLocalDateTime();
        String seconds = time.format(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss"));
        if (precision == 0) {
            return seconds;
        }
        return seconds + "." + String.format("%09d", time.getNano()).substring(0, precision);
    }

    static String hex(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) {
            out.append(String.format("%02x", b));
        }
        return out.toString();
    }

    static String text(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"':
                    out.append("\\\"");
                    break;
                case '\\':
                    out.append("\\\\");
                    break;
                case '\n':
                    out.append("\\n");
                    break;
                case '\r':
                    out.append("\\r");
                    break;
                case '\t':
                    out.append("\\t");
                    break;
                default:
                    out.append(c < 0x20 || c == 0x7f ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return out.append('"').toString();
    }
}

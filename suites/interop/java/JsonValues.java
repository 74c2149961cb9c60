import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.types.*;

/** Values of the reference from canonical JSON. */
final class JsonValues {
    private JsonValues() {}

    static GenericRow row(JsonNode values, int from, List<DataField> fields, RowKind kind) {
        GenericRow row = new GenericRow(kind, fields.size());
        for (int i = 0; i < fields.size(); i++) {
            row.setField(i, value(values.get(from + i), fields.get(i).type()));
        }
        return row;
    }

    static Object value(JsonNode json, DataType type) {
        if (json == null || json.isNull()) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return json.asBoolean();
            case TINYINT:
                return (byte) json.asInt();
            case SMALLINT:
                return (short) json.asInt();
            case INTEGER:
                return json.asInt();
            case BIGINT:
                return Long.parseLong(json.asText());
            case FLOAT:
                return Float.parseFloat(json.asText());
            case DOUBLE:
                return Double.parseDouble(json.asText());
            case DECIMAL:
                DecimalType decimal = (DecimalType) type;
                return Decimal.fromBigDecimal(
                        new BigDecimal(json.asText()), decimal.getPrecision(), decimal.getScale());
            case CHAR:
            case VARCHAR:
                return BinaryString.fromString(json.asText());
            case BINARY:
            case VARBINARY:
                return bytes(json.asText());
            case DATE:
                return (int) LocalDate.parse(json.asText()).toEpochDay();
            case TIME_WITHOUT_TIME_ZONE:
                return (int) (LocalTime.parse(json.asText()).toNanoOfDay() / 1_000_000);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return Timestamp.fromLocalDateTime(LocalDateTime.parse(json.asText().replace("Z", "")));
            default:
                return nested(json, type);
        }
    }

    private static Object nested(JsonNode json, DataType type) {
        switch (type.getTypeRoot()) {
            case ARRAY:
                Object[] elements = new Object[json.size()];
                for (int i = 0; i < elements.length; i++) {
                    elements[i] = value(json.get(i), ((ArrayType) type).getElementType());
                }
                return new GenericArray(elements);
            case MAP:
                Map<Object, Object> entries = new HashMap<>();
                for (JsonNode entry : json) {
                    entries.put(
                            value(entry.get(0), ((MapType) type).getKeyType()),
                            value(entry.get(1), ((MapType) type).getValueType()));
                }
                return new GenericMap(entries);
            case ROW:
                List<DataField> fields = ((RowType) type).getFields();
                GenericRow row = new GenericRow(fields.size());
                for (int i = 0; i < fields.size(); i++) {
                    row.setField(i, value(json.get(fields.get(i).name()), fields.get(i).type()));
                }
                return row;
            default:
                throw new IllegalArgumentException("no value of type " + type + " from JSON");
        }
    }

    private static byte[] bytes(String hex) {
        byte[] out = new byte[hex.length() / 2];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return out;
    }
}

package io.lapwing.dcgm;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.FieldValueV2;
import io.lapwing.dcgm.DcgmStructs.GroupEntityPair;
import io.lapwing.dcgm.DcgmValues.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A watch through JNA. Its memory, 4 KiB for each value of a call, is allocated once. */
final class JnaDcgmWatch implements DcgmWatch {

  /**
   * {@code DCGM_INT64_BLANK} and {@code DCGM_FP64_BLANK}; the three numbers above are blank too.
   */
  private static final long BLANK_INT64 = 0x7ffffffffffffff0L;

  private static final double BLANK_FP64 = 140_737_488_355_328.0;

  /** {@code DCGM_STR_BLANK} and the three others: {@code <<<NOT_SUPPORTED>>>}. */
  private static final String BLANK_TEXT = "<<<";

  private static final List<String> BLANK_TEXTS =
      List.of("<<<NULL>>>", "<<<NOT_FOUND>>>", "<<<NOT_SUPPORTED>>>", "<<<NOT_PERM>>>");

  /** {@code DCGM_MAX_STR_LENGTH}. */
  private static final int MOST_TEXT = 256;

  private static final int FROM_CACHE = 0;

  /** Values of one call: all of 8 GPUs, and a part of those of the links of the switches. */
  private static final int MOST_OF_CALL = 256;

  private final DcgmLibrary library;
  private final long handle;
  private final JnaDcgmGroup group;
  private final long fieldGroup;
  private final List<DcgmFieldId> fields;
  private final Map<DcgmFieldId, String> rejected;

  /** By the number of the kind, and the id. */
  private final Map<List<Integer>, DcgmEntity> entities;

  private final Memory pairs;
  private final Memory ids;
  private final Memory values;

  /** Entities of one call. */
  private final int ofCall;

  private boolean closed;

  JnaDcgmWatch(
      DcgmLibrary library,
      long handle,
      JnaDcgmGroup group,
      long fieldGroup,
      List<DcgmFieldId> fields,
      Map<DcgmFieldId, String> rejected) {
    this.library = library;
    this.handle = handle;
    this.group = group;
    this.fieldGroup = fieldGroup;
    this.fields = List.copyOf(fields);
    this.rejected = Map.copyOf(rejected);
    this.entities =
        group.entities().stream()
            .collect(
                Collectors.toMap(
                    entity -> List.of(entity.kind().code(), entity.id()),
                    Function.identity(),
                    (one, again) -> one));
    this.pairs = pairs(group.entities());
    this.ids = ids(fields);
    this.ofCall = Math.min(Math.max(MOST_OF_CALL / fields.size(), 1), group.entities().size());
    this.values = new Memory((long) ofCall * fields.size() * FieldValueV2.SIZE);
  }

  private static Memory pairs(List<DcgmEntity> entities) {
    Memory pairs = new Memory((long) entities.size() * GroupEntityPair.SIZE);
    for (int i = 0; i < entities.size(); i++) {
      long at = (long) i * GroupEntityPair.SIZE;
      pairs.setInt(at + GroupEntityPair.ENTITY_GROUP_ID, entities.get(i).kind().code());
      pairs.setInt(at + GroupEntityPair.ENTITY_ID, entities.get(i).id());
    }
    return pairs;
  }

  static Memory ids(List<DcgmFieldId> fields) {
    Memory ids = new Memory((long) fields.size() * Short.BYTES);
    for (int i = 0; i < fields.size(); i++) {
      ids.setShort((long) i * Short.BYTES, fields.get(i).id());
    }
    return ids;
  }

  @Override
  public Map<DcgmFieldId, String> rejected() {
    return rejected;
  }

  @Override
  public Reading<DcgmValues> latest() {
    Map<DcgmValues.Key, Reading<Sample>> samples = new HashMap<>();
    for (DcgmEntity entity : group.entities()) {
      for (DcgmFieldId field : fields) {
        samples.put(new DcgmValues.Key(entity, field), no(field, DcgmReturn.NO_DATA));
      }
    }
    int all = group.entities().size();
    for (int from = 0; from < all; from += ofCall) {
      DcgmReturn answer = read(from, Math.min(ofCall, all - from), samples);
      if (answer != DcgmReturn.OK) {
        return DcgmCalls.refused("dcgmEntitiesGetLatestValues", answer);
      }
    }
    return Reading.of(new DcgmValues(samples));
  }

  /** By the entity and field in each value, not by its position. */
  private DcgmReturn read(int from, int count, Map<DcgmValues.Key, Reading<Sample>> samples) {
    Pointer wanted = pairs.share((long) from * GroupEntityPair.SIZE);
    DcgmReturn answer =
        DcgmCalls.answer(
            () ->
                library.dcgmEntitiesGetLatestValues(
                    handle, wanted, count, ids, fields.size(), FROM_CACHE, values));
    if (answer == DcgmReturn.OK) {
      for (int i = 0; i < count * fields.size(); i++) {
        read(i * FieldValueV2.SIZE, samples);
      }
    }
    return answer;
  }

  private void read(int at, Map<DcgmValues.Key, Reading<Sample>> samples) {
    DcgmEntity entity =
        entities.get(
            List.of(
                values.getInt(at + FieldValueV2.ENTITY_GROUP_ID),
                values.getInt(at + FieldValueV2.ENTITY_ID)));
    DcgmFieldId field = fieldOf(values.getShort(at + FieldValueV2.FIELD_ID));
    if (entity != null && field != null) {
      samples.put(new DcgmValues.Key(entity, field), sample(field, at));
    }
  }

  private @Nullable DcgmFieldId fieldOf(short id) {
    for (DcgmFieldId field : fields) {
      if (field.id() == id) {
        return field;
      }
    }
    return null;
  }

  private Reading<Sample> sample(DcgmFieldId field, int at) {
    DcgmReturn status = DcgmReturn.of(values.getInt(at + FieldValueV2.STATUS));
    if (status != DcgmReturn.OK) {
      return no(field, status);
    }
    int value = at + FieldValueV2.VALUE;
    long micros = values.getLong(at + FieldValueV2.TS);
    return switch (values.getShort(at + FieldValueV2.FIELD_TYPE)) {
      case 'i', 't' -> integer(field, values.getLong(value), micros);
      case 'd' -> floating(field, values.getDouble(value), micros);
      case 's' -> text(field, DcgmStructs.text(values, value, MOST_TEXT), micros);
      default -> new Reading.Failed<>(field.question(), "unknown_value_type");
    };
  }

  private static Reading<Sample> integer(DcgmFieldId field, long number, long micros) {
    return number >= BLANK_INT64
        ? blank(field, number - BLANK_INT64)
        : Reading.of(new Sample(number, micros));
  }

  private static Reading<Sample> floating(DcgmFieldId field, double number, long micros) {
    if (Double.isNaN(number)) {
      return no(field, DcgmReturn.NO_DATA);
    }
    return number >= BLANK_FP64
        ? blank(field, (long) (number - BLANK_FP64))
        : Reading.of(new Sample(number, micros));
  }

  private static Reading<Sample> text(DcgmFieldId field, String text, long micros) {
    return text.isEmpty() || text.startsWith(BLANK_TEXT)
        ? blank(field, BLANK_TEXTS.indexOf(text))
        : Reading.of(Sample.of(text, micros));
  }

  /** {@code DCGM_FP64_NOT_FOUND} is the blank value plus 1, and so on. */
  private static Reading<Sample> blank(DcgmFieldId field, long kind) {
    return switch ((int) Math.min(kind, Integer.MAX_VALUE)) {
      case 2 -> no(field, DcgmReturn.NOT_SUPPORTED);
      case 3 -> no(field, DcgmReturn.NO_PERMISSION);
      default -> new Reading.Failed<>(field.question(), DcgmValues.BLANK);
    };
  }

  private static Reading<Sample> no(DcgmFieldId field, DcgmReturn why) {
    return DcgmCalls.refused(field.question(), why);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      group.unwatch(fieldGroup);
      group.close();
    }
  }
}

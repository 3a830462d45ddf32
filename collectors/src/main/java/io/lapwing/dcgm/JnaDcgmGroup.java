package io.lapwing.dcgm;

import com.sun.jna.Memory;
import io.lapwing.collect.Reading;
import java.time.Duration;
import java.util.List;

/** A group of entities in an engine. */
record JnaDcgmGroup(DcgmLibrary library, long handle, long group, List<DcgmEntity> entities) {

  private static final int EMPTY = 1;

  /** The engine keeps only what the next read needs. */
  private static final int KEPT_SAMPLES = 2;

  /** The limit by age; 0 would be none. */
  private static final int KEPT_PERIODS = 4;

  static Reading<JnaDcgmGroup> of(
      DcgmLibrary library, long handle, String name, List<DcgmEntity> entities) {
    Memory created = new Memory(Long.BYTES);
    return DcgmCalls.call(
            "dcgmGroupCreate",
            () -> library.dcgmGroupCreate(handle, EMPTY, name, created),
            () -> new JnaDcgmGroup(library, handle, created.getLong(0), List.copyOf(entities)))
        .flatMap(JnaDcgmGroup::filled);
  }

  private Reading<JnaDcgmGroup> filled() {
    for (DcgmEntity entity : entities) {
      DcgmReturn answer =
          DcgmCalls.answer(
              () -> library.dcgmGroupAddEntity(handle, group, entity.kind().code(), entity.id()));
      if (answer != DcgmReturn.OK) {
        close();
        return DcgmCalls.refused("dcgmGroupAddEntity", answer);
      }
    }
    return Reading.of(this);
  }

  int watch(long fieldGroup, Duration every) {
    long micros = every.toNanos() / 1000;
    return library.dcgmWatchFields(
        handle, group, fieldGroup, micros, KEPT_PERIODS * micros / 1e6, KEPT_SAMPLES);
  }

  void unwatch(long fieldGroup) {
    DcgmCalls.answer(() -> library.dcgmUnwatchFields(handle, group, fieldGroup));
    DcgmCalls.answer(() -> library.dcgmFieldGroupDestroy(handle, fieldGroup));
  }

  void close() {
    DcgmCalls.answer(() -> library.dcgmGroupDestroy(handle, group));
  }
}

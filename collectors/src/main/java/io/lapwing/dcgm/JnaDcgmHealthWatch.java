package io.lapwing.dcgm;

import com.sun.jna.Memory;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.DiagErrorDetail;
import io.lapwing.dcgm.DcgmStructs.GroupEntityPair;
import io.lapwing.dcgm.DcgmStructs.HealthResponseV4;
import io.lapwing.dcgm.DcgmStructs.HealthResponseV5;
import io.lapwing.dcgm.DcgmStructs.IncidentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A health watch through JNA. */
final class JnaDcgmHealthWatch implements DcgmHealthWatch {

  private static final String CHECK = "dcgmHealthCheck";

  private final DcgmLibrary library;
  private final long handle;
  private final JnaDcgmGroup group;
  private Form form;
  private boolean settled;
  private boolean closed;

  /** Allocated once, at the first check; not cleared, so that only pages in use are touched. */
  private @Nullable Memory response;

  /** {@code dcgmHealthResponse_t} of a major version. */
  private enum Form {
    OF_3(HealthResponseV4.SIZE, 4),
    /** 1 MiB. */
    OF_4(HealthResponseV5.SIZE, 5);

    private final int size;
    private final int version;

    Form(int size, int version) {
      this.size = size;
      this.version = version;
    }

    Form neighbour() {
      return this == OF_4 ? OF_3 : OF_4;
    }

    int most() {
      return (size - HealthResponseV5.INCIDENTS) / IncidentInfo.SIZE;
    }
  }

  JnaDcgmHealthWatch(DcgmLibrary library, long handle, JnaDcgmGroup group, String engineVersion) {
    this.library = library;
    this.handle = handle;
    this.group = group;
    this.form = engineVersion.startsWith("3.") ? Form.OF_3 : Form.OF_4;
  }

  @Override
  public Reading<List<DcgmIncident>> check() {
    DcgmReturn answer = ask();
    if (answer == DcgmReturn.VERSION_MISMATCH && !settled) {
      use(form.neighbour());
      answer = ask();
    }
    settled = true;
    return answer == DcgmReturn.OK ? Reading.of(incidents()) : DcgmCalls.refused(CHECK, answer);
  }

  private DcgmReturn ask() {
    Memory memory = response();
    memory.setInt(0, DcgmStructs.versionWord(form.size, form.version));
    memory.setInt(HealthResponseV5.INCIDENT_COUNT, 0);
    return DcgmCalls.answer(() -> library.dcgmHealthCheck(handle, group.group(), memory));
  }

  private Memory response() {
    Memory memory = response == null ? new Memory(form.size) : response;
    response = memory;
    return memory;
  }

  private void use(Form other) {
    free();
    form = other;
  }

  private void free() {
    if (response != null) {
      response.close();
      response = null;
    }
  }

  private List<DcgmIncident> incidents() {
    Memory memory = response();
    int count = memory.getInt(HealthResponseV5.INCIDENT_COUNT);
    List<DcgmIncident> incidents = new ArrayList<>();
    for (int i = 0; i < Math.min(count, form.most()); i++) {
      incident(memory, HealthResponseV5.INCIDENTS + (long) i * IncidentInfo.SIZE)
          .ifPresent(incidents::add);
    }
    return List.copyOf(incidents);
  }

  /** Only of the entities that are watched, and of the node. */
  private Optional<DcgmIncident> incident(Memory memory, long at) {
    int kind = memory.getInt(at + IncidentInfo.ENTITY_INFO + GroupEntityPair.ENTITY_GROUP_ID);
    int id = memory.getInt(at + IncidentInfo.ENTITY_INFO + GroupEntityPair.ENTITY_ID);
    return entity(kind, id)
        .map(
            entity ->
                new DcgmIncident(
                    entity,
                    DcgmHealthSystem.of(memory.getInt(at + IncidentInfo.SYSTEM)),
                    DcgmIncident.Result.of(memory.getInt(at + IncidentInfo.HEALTH)),
                    memory.getInt(at + IncidentInfo.ERROR + DiagErrorDetail.CODE)));
  }

  private Optional<DcgmEntity> entity(int kind, int id) {
    return kind == DcgmEntity.Kind.NODE.code()
        ? Optional.of(DcgmEntity.NODE)
        : group.entities().stream()
            .filter(entity -> entity.kind().code() == kind && entity.id() == id)
            .findFirst();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      group.close();
      free();
    }
  }
}

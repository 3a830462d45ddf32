package io.lapwing.nccl.ring;

import io.lapwing.linux.JobName;
import io.lapwing.nccl.ring.RingFile.RejectedException;
import io.lapwing.nccl.ring.RingFile.Rejection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** One process: its ring file, its communicators, and the collectives that its ring has now. */
final class RingProcess implements AutoCloseable {

  /** Communicators of one process that are exposed at most. */
  static final int MAX_MEMBERS = 16;

  /** Records that are compared: the newest; the plugin's ring has as many. */
  static final int MAX_RECORDS = 1024;

  /** Of a process whose collectives end, the lock is checked on every 12th read. */
  private static final int READS_PER_CHECK = 12;

  /** Longer than any timeout of a collective. */
  private static final long MAX_NANOS = 1_000_000_000_000_000L;

  private final RingFile file;
  private final RingProcesses processes;
  private final String account;
  private final String budget;
  private final Map<Integer, RingMember> members = new TreeMap<>();

  /** Of the records: place in the table and operation, sequence, duration. */
  private final int[] kinds = new int[MAX_RECORDS];

  private final long[] sequences = new long[MAX_RECORDS];
  private final long[] durations = new long[MAX_RECORDS];
  private int records;

  /** See {@link RingMember#setProcess}; empty unless it is verified. */
  private List<String> identity = List.of();

  private RingProcesses.Writer writer;
  private RingStanding standing;
  private boolean duplicate;
  private long written = -1;
  private long lost;
  private long newlyLost;
  private int omitted;
  private int faults;
  private long reads;

  private RingProcess(
      RingFile file, RingProcesses processes, RingProcesses.Writer writer, RingStanding standing) {
    this.file = file;
    this.processes = processes;
    this.writer = writer;
    this.standing = standing;
    this.account = processes.account(writer.user());
    this.budget =
        account
            + writer.pid().stream()
                .mapToObj(processes::pod)
                .flatMap(Optional::stream)
                .findFirst()
                .map(pod -> "/" + pod)
                .orElse("");
  }

  /**
   * The process that writes a file.
   *
   * @throws RejectedException if it is not one of the file's owner
   */
  static RingProcess of(RingFile file, RingProcesses processes, RingSource.Gpus gpus)
      throws RejectedException {
    RingProcesses.Writer writer = writer(file, processes);
    return new RingProcess(file, processes, writer, RingStanding.of(writer, processes, gpus));
  }

  private static RingProcesses.Writer writer(RingFile file, RingProcesses processes)
      throws RejectedException {
    return processes
        .writer(file.path(), file.attributes())
        .orElseThrow(() -> new RejectedException(Rejection.PROCESS_GONE));
  }

  RingFile file() {
    return file;
  }

  long user() {
    return writer.user();
  }

  /** Of its user. */
  String account() {
    return account;
  }

  /** Whose processes are counted together: those of an account, in Kubernetes of a pod. */
  String budget() {
    return budget;
  }

  /** The best that it had: the driver may fail to list its processes for a while. */
  RingStanding standing() {
    return standing;
  }

  /** Whether this is the first of its ranks that another process has already. */
  boolean noteDuplicate() {
    boolean first = !duplicate;
    duplicate = true;
    return first;
  }

  /** {@link RingProcesses#state}, read now. */
  String state() {
    return writer.pid().isPresent() ? processes.state(writer.pid().getAsLong()) : "";
  }

  List<RingMember> members() {
    return new ArrayList<>(members.values());
  }

  /** Communicators that are in use and not exposed. */
  long omitted() {
    return omitted + Math.max(0, Math.min(file.refused(), Integer.MAX_VALUE));
  }

  /** Collectives that the plugin could not record, since the last read. */
  long newlyLost() {
    return newlyLost;
  }

  /** Communicators whose totals were impossible, in the last read. */
  int faults() {
    return faults;
  }

  /** Whether the kernels of collectives are recorded. */
  boolean isTimed() {
    return file.api() >= 3;
  }

  int records() {
    return records;
  }

  int kind(int record) {
    return kinds[record];
  }

  long sequence(int record) {
    return sequences[record];
  }

  long duration(int record) {
    return durations[record];
  }

  static int kind(int place, RingOperation operation) {
    return place << 8 | operation.place();
  }

  /**
   * Reads new data. The buffers are for the table and for the ring.
   *
   * @throws RejectedException if the file is no longer valid, unless its process has ended it
   */
  void read(ByteBuffer table, ByteBuffer ring, RingSource.Gpus gpus)
      throws IOException, RejectedException {
    file.refresh();
    reads++;
    boolean idle = file.written() == written;
    if (idle || reads % READS_PER_CHECK == 0) {
      checkWriter();
    }
    if (writer.verified() && (reads <= READS_PER_CHECK || reads % READS_PER_CHECK == 0)) {
      identify(gpus);
    }
    newlyLost = Math.max(0, Math.min(file.lost() - lost, Integer.MAX_VALUE));
    lost = file.lost();
    readTable(table, gpus);
    if (!idle) {
      written = file.written();
      readRecords(ring);
    }
  }

  /** While the lock is held, a process that is briefly not visible has not ended. */
  private void checkWriter() throws RejectedException {
    RingProcesses.Writer now = writer(file, processes);
    if (!now.isSame(writer)) {
      throw new RejectedException(Rejection.REPLACED);
    }
    if (now.verified() && !writer.verified()) {
      writer = now;
    }
  }

  private void readTable(ByteBuffer table, RingSource.Gpus gpus)
      throws IOException, RejectedException {
    file.read(
        table.clear().limit(file.communicators() * RingLayout.COMMUNICATOR), RingLayout.HEADER);
    omitted = 0;
    faults = 0;
    for (int place = 0; place < file.communicators(); place++) {
      int at = place * RingLayout.COMMUNICATOR;
      RingMember known = members.get(place);
      if (known != null && !(known.isAt(table, at) && known.update(table, at))) {
        faults += known.isAt(table, at) ? 1 : 0;
        members.remove(place);
      }
      if (!members.containsKey(place) && RingMember.isUsed(table, at)) {
        addMember(table, at, place, gpus);
      }
    }
  }

  private void addMember(ByteBuffer table, int at, int place, RingSource.Gpus gpus) {
    RingMember one =
        RingMember.of(
            table, at, place, new RingMember.Origin(file.api(), gpu(gpus), standing.isOfJob()));
    if (!one.isShared()) {
      return;
    }
    if (!identity.isEmpty()) {
      one.setProcess(identity);
    }
    if (members.size() == MAX_MEMBERS) {
      omitted++;
    } else if (one.update(table, at)) {
      members.put(place, one);
    } else {
      faults++;
    }
  }

  /** The driver lists a process on its GPU later than that has its communicators. */
  private void identify(RingSource.Gpus gpus) {
    long pid = writer.pid().orElseThrow();
    OptionalInt used = gpus.byPid(pid);
    RingStanding now = RingStanding.of(writer, processes, gpus);
    if (now.isStronger(standing)) {
      standing = now;
      members.values().forEach(member -> member.setVerified(standing.isOfJob()));
    }
    identity =
        List.of(
            Long.toString(pid),
            Long.toString(writer.user()),
            processes.job(pid).orElseGet(this::ownJob),
            text(file.rankOfJob()),
            text(used));
    members.values().forEach(member -> member.setProcess(identity));
  }

  /** The name that the process gives its job, unless it looks like the id of another job. */
  private String ownJob() {
    String job = file.job();
    return JobName.isNoId(job) ? job : "";
  }

  private static String text(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
  }

  private OptionalInt gpu(RingSource.Gpus gpus) {
    OptionalInt used =
        writer.pid().isPresent() ? gpus.byPid(writer.pid().getAsLong()) : OptionalInt.empty();
    if (used.isPresent()) {
      return used;
    }
    String uuid = file.gpuUuid();
    OptionalInt named = uuid.isEmpty() ? OptionalInt.empty() : gpus.byUuid(uuid);
    return named.isPresent() ? named : file.gpuIndex();
  }

  /**
   * Keeps the complete records of known communicators. A writer counts a record in {@code written}
   * before it writes it: the count after the read shows which records may have been overwritten
   * meanwhile.
   */
  private void readRecords(ByteBuffer ring) throws IOException, RejectedException {
    int capacity = file.capacity();
    records = 0;
    int newest = (int) Math.min(Math.min(capacity, MAX_RECORDS), Math.max(0, written));
    if (newest == 0) {
      return;
    }
    int from = (int) ((written - newest) % capacity);
    int straight = Math.min(newest, capacity - from);
    read(ring.clear(), 0, from, straight);
    read(ring, straight, 0, newest - straight);
    long oldest = file.writtenNow() - capacity;
    for (int i = 0; i < newest; i++) {
      long number = written - newest + i;
      if (number >= oldest) {
        keep(ring, i * RingLayout.RECORD, 2 * number + 2);
      }
    }
  }

  private void read(ByteBuffer ring, int at, int slot, int count)
      throws IOException, RejectedException {
    ring.limit((at + count) * RingLayout.RECORD).position(at * RingLayout.RECORD);
    file.read(ring, file.recordsAt() + (long) slot * RingLayout.RECORD);
  }

  private void keep(ByteBuffer ring, int at, long mark) {
    int place = ring.get(at + RingLayout.AT_PLACE) & 0xff;
    int operation = ring.get(at + RingLayout.AT_OPERATION) & 0xff;
    long sequence = ring.getLong(at + RingLayout.AT_SEQUENCE);
    long duration = ring.getLong(at + RingLayout.AT_DURATION);
    if (ring.getLong(at + RingLayout.AT_MARK) == mark
        && ring.getLong(at + RingLayout.AT_MARK_AGAIN) == mark
        && sequence >= 0
        && duration >= 0
        && duration <= MAX_NANOS
        && isMember(place, ring.getInt(at + RingLayout.AT_RECORD_GENERATION))) {
      kinds[records] = place << 8 | operation;
      sequences[records] = sequence;
      durations[records] = duration;
      records++;
    }
  }

  private boolean isMember(int place, int generation) {
    RingMember member = members.get(place);
    return member != null && member.generation == generation;
  }

  @Override
  public void close() {
    file.close();
  }
}

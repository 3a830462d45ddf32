package io.lapwing.nccl;

import io.lapwing.json.JsonCursor;
import io.lapwing.nccl.RasReply.Communicator;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads ranks one by one into the same fields: of a hundred thousand, eight are kept.
 *
 * <pre>
 * {"rank": 0, "host": "172.16.64.245", "pid": 1524344, "cuda_dev": 0, "nvml_dev": 0,
 *  "status": {"init_state": 0, "async_error": 0, "finalize_called": false,
 *             "destroy_flag": false, "abort_flag": false},
 *  "collective_counts": {"Broadcast": 0, "AllReduce": 6650, ...}}
 * </pre>
 *
 * A missing rank has {@code "status": {"unresponsive": true, "considered_dead": false}} and no
 * counts.
 */
final class RankReader {

  private static final int MAX_HOST = 1024;
  private static final int NO_ERROR = 0;
  private static final int IN_PROGRESS = 7;

  /** The names of NCCL's functions (ncclFuncToString); any other counts as {@link #OTHER}. */
  private static final Set<String> OPERATIONS =
      Set.of(
          "Broadcast",
          "Reduce",
          "AllGather",
          "ReduceScatter",
          "AllReduce",
          "SendRecv",
          "Send",
          "Recv",
          "AlltoAll",
          "AllToAll",
          "Gather",
          "Scatter");

  private static final String OTHER = "Other";

  private final JsonCursor json;
  private final LocalProcesses local;
  private final CollectiveCounts counts = new CollectiveCounts();
  private OptionalInt rank = OptionalInt.empty();
  private OptionalInt pid = OptionalInt.empty();
  private String host = "";
  private OptionalInt gpu = OptionalInt.empty();
  private int asyncError;
  private boolean aborted;
  private boolean unresponsive;
  private boolean dead;

  RankReader(JsonCursor json, LocalProcesses local) {
    this.json = json;
    this.local = local;
  }

  /** Reads the next rank, overwriting the last. */
  void read() throws IOException {
    counts.clear();
    rank = OptionalInt.empty();
    pid = OptionalInt.empty();
    host = "";
    gpu = OptionalInt.empty();
    asyncError = NO_ERROR;
    aborted = false;
    unresponsive = false;
    dead = false;
    json.object(this::field);
    json.expect(rank.isPresent(), "a rank without its number");
  }

  private void field(String name) throws IOException {
    switch (name) {
      case "rank" -> rank = index();
      case "host" -> host = host();
      case "pid" -> pid = json.integer();
      case "nvml_dev" -> gpu = index();
      case "status" -> json.object(this::status);
      case "collective_counts" -> json.object(this::count);
      default -> json.skip();
    }
  }

  /** Negative if unknown. */
  private OptionalInt index() throws IOException {
    OptionalInt index = json.integer();
    return index.orElse(0) < 0 ? OptionalInt.empty() : index;
  }

  private String host() throws IOException {
    String text = json.text();
    json.expect(text.length() <= MAX_HOST, "a host that is too long");
    return text;
  }

  private void status(String name) throws IOException {
    switch (name) {
      case "async_error" -> asyncError = json.integer().orElse(NO_ERROR);
      case "abort_flag" -> aborted = json.flag();
      case "unresponsive" -> unresponsive = json.flag();
      case "considered_dead" -> dead = json.flag();
      default -> json.skip();
    }
  }

  private void count(String operation) throws IOException {
    double count = json.amount();
    if (OPERATIONS.contains(operation)) {
      counts.set(operation, count);
    } else {
      counts.add(OTHER, count);
    }
  }

  CollectiveCounts counts() {
    return counts;
  }

  boolean isHere() {
    return local.isHere(host);
  }

  boolean isUnresponsive() {
    return unresponsive;
  }

  boolean isDead() {
    return dead;
  }

  /** {@code ncclInProgress} is normal for a non-blocking communicator. */
  boolean isInError() {
    return isError(asyncError);
  }

  static boolean isError(int result) {
    return result != NO_ERROR && result != IN_PROGRESS;
  }

  /** The rank with its process; empty if that is not visible on this node. */
  Optional<Communicator.Rank> local() {
    return local
        .process(pid.orElse(0))
        .map(
            process ->
                new Communicator.Rank(
                    rank.orElseThrow(), gpu, process, asyncError, aborted, counts.copy()));
  }
}

package io.lapwing.simulator;

import io.lapwing.simulator.RasRank.Contact;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * A job that does not exist, as NCCL's RAS tells of it: so many ranks on so many nodes on one
 * communicator, or on several of a size. Not an error anywhere until one is asked for.
 */
public final class RasJob {

  private static final String VERSION = "2.29.1";

  private final List<RasRank> ranks = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private String version = VERSION;
  private long hash = 0xae94423cfbb2ef4aL;

  private RasJob() {}

  /**
   * Ranks in the order of the nodes; nodes have the addresses 10.0.0.0 and up, processes the
   * numbers 1000 and up on each, GPUs their local rank.
   */
  public static RasJob of(int nodes, int ranksPerNode) {
    RasJob job = new RasJob();
    for (int rank = 0; rank < nodes * ranksPerNode; rank++) {
      int node = rank / ranksPerNode;
      int local = rank % ranksPerNode;
      String host = "10." + (node >> 16) + "." + ((node >> 8) & 0xff) + "." + (node & 0xff);
      job.ranks.add(new RasRank(host, 1000 + local, local));
    }
    job.sizes.add(nodes * ranksPerNode);
    return job;
  }

  /** Other hashes for its communicators than those of another job. */
  public synchronized RasJob hash(long first) {
    hash = first;
    return this;
  }

  /** Puts all ranks of a host to another address, which may be a name or nonsense. */
  public synchronized RasJob host(String from, String to) {
    ranks.stream().filter(rank -> rank.host.equals(from)).forEach(rank -> rank.host = to);
    return this;
  }

  public synchronized RasJob pid(int rank, int pid) {
    ranks.get(rank).pid = pid;
    return this;
  }

  public synchronized RasJob version(String other) {
    version = other;
    return this;
  }

  /** Communicators of a size in addition, next ranks together, as of tensor parallelism. */
  public synchronized RasJob groups(int size) {
    sizes.add(size);
    return this;
  }

  /** A rank that RAS cannot reach, or has given up. */
  public synchronized RasJob missing(int rank, boolean dead) {
    ranks.get(rank).contact = dead ? Contact.DEAD : Contact.UNRESPONSIVE;
    return this;
  }

  /**
   * What {@code ncclGetAsyncError} tells of a rank.
   *
   * @param result a {@code ncclResult_t}, such as 6 for an error of a peer
   */
  public synchronized RasJob asyncError(int rank, int result) {
    ranks.get(rank).asyncError = result;
    return this;
  }

  public synchronized RasJob aborted(int rank) {
    ranks.get(rank).aborted = true;
    return this;
  }

  /** A rank that begins no operation any more. */
  public synchronized RasJob stopped(int rank) {
    ranks.get(rank).stopped = true;
    return this;
  }

  /** All ranks begin operations, but for those that stopped. */
  public synchronized RasJob advance(String operation, long operations) {
    ranks.stream()
        .filter(rank -> !rank.stopped)
        .forEach(rank -> rank.counts.merge(operation, operations, Long::sum));
    return this;
  }

  /** The reply to {@code STATUS} in JSON. */
  public String json() {
    StringWriter out = new StringWriter();
    try {
      write(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString();
  }

  synchronized void write(Writer out) throws IOException {
    new RasJson(out).write(version, groups(), hash);
  }

  private List<List<RasRank>> groups() {
    List<List<RasRank>> groups = new ArrayList<>();
    for (int size : sizes) {
      for (int first = 0; first < ranks.size(); first += size) {
        groups.add(ranks.subList(first, Math.min(first + size, ranks.size())));
      }
    }
    return groups;
  }

  /** The beginning of the reply in text of a service that knows no JSON. */
  synchronized String text() {
    return "NCCL version "
        + version
        + " compiled with CUDA 12.9\nCUDA runtime version 12090, driver version 12090\n\n"
        + "Job summary\n===========\n\n"
        + "  Nodes  Processes         GPUs  Processes     GPUs\n"
        + "(total)   per node  per process    (total)  (total)\n"
        + String.format(
            "%7d  %9d  %11d  %9d  %7d%n", 1, ranks.size(), 1, ranks.size(), ranks.size());
  }
}

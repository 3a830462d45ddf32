package io.lapwing.simulator;

import io.lapwing.simulator.RasRank.Contact;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulated job as reported by NCCL's RAS: ranks and nodes on one communicator, or on several of
 * the same size. Healthy unless a fault is set.
 */
public final class RasJob {

  private static final String VERSION = "2.29.1";

  private final List<RasRank> ranks = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private String version = VERSION;
  private long hash = 0xae94423cfbb2ef4aL;

  private RasJob() {}

  /**
   * Ranks are numbered by node. Nodes have addresses from 10.0.0.0, processes have pids from 1000
   * on each node, and GPUs are numbered by local rank.
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

  /** Changes the hashes of its communicators, so that they differ from those of another job. */
  public synchronized RasJob hash(long first) {
    hash = first;
    return this;
  }

  /** Changes the address of all ranks of a host; may be a name or malformed. */
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

  /** Adds communicators of a size from consecutive ranks, as for tensor parallelism. */
  public synchronized RasJob groups(int size) {
    sizes.add(size);
    return this;
  }

  /** Marks a rank as unreachable or dead. */
  public synchronized RasJob missing(int rank, boolean dead) {
    ranks.get(rank).contact = dead ? Contact.DEAD : Contact.UNRESPONSIVE;
    return this;
  }

  /**
   * Sets a rank's {@code ncclGetAsyncError}.
   *
   * @param result a {@code ncclResult_t}, such as 6 for a remote error
   */
  public synchronized RasJob asyncError(int rank, int result) {
    ranks.get(rank).asyncError = result;
    return this;
  }

  public synchronized RasJob aborted(int rank) {
    ranks.get(rank).aborted = true;
    return this;
  }

  /** Stops a rank from starting operations. */
  public synchronized RasJob stopped(int rank) {
    ranks.get(rank).stopped = true;
    return this;
  }

  /** Starts operations on all ranks except the stopped ones. */
  public synchronized RasJob advance(String operation, long operations) {
    ranks.stream()
        .filter(rank -> !rank.stopped)
        .forEach(rank -> rank.counts.merge(operation, operations, Long::sum));
    return this;
  }

  /** The JSON response to {@code STATUS}. */
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

  /** The start of the text response of a service without JSON. */
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

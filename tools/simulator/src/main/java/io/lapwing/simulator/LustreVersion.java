package io.lapwing.simulator;

import java.util.Optional;
import java.util.stream.Stream;

/** A release branch of the Lustre client, with its paths and formats. */
public enum LustreVersion {
  V2_10("2.10.8"),
  V2_12("2.12.9"),
  V2_15("2.15.6"),
  V2_16("2.16.1"),
  V2_17("2.17.0");

  private static final String PROC = "proc/fs/lustre/";
  private static final String SYS = "sys/fs/lustre/";
  private static final String DEBUG = "sys/kernel/debug/lustre/";

  private final String release;

  LustreVersion(String release) {
    this.release = release;
  }

  /** {@code 2.12}, as a state line names it. */
  public static Optional<LustreVersion> named(String branch) {
    return Stream.of(values()).filter(version -> version.branch().equals(branch)).findFirst();
  }

  /** {@code 2.12}. */
  public String branch() {
    return release.substring(0, release.lastIndexOf('.'));
  }

  String release() {
    return release;
  }

  boolean since(LustreVersion first) {
    return compareTo(first) >= 0;
  }

  /** Counters: {@code llite/.../stats} and {@code stats} of each target. */
  String counts() {
    return since(V2_12) ? DEBUG : PROC;
  }

  /** Imports and {@code rpc_stats}, which were the last to leave /proc. */
  String imports() {
    return since(V2_17) ? DEBUG : PROC;
  }

  /** Settings with one number. */
  String settings() {
    return since(V2_12) ? SYS : PROC;
  }

  /** Files that belong to no mount: version, health, lock namespaces. */
  String globals() {
    return SYS;
  }

  String lnet() {
    return since(V2_12) ? "sys/kernel/debug/lnet/" : "proc/sys/lnet/";
  }

  String microseconds() {
    return since(V2_15) ? "usecs" : "usec";
  }

  /** The unit of values without one. */
  String requests() {
    return since(V2_15) ? "reqs" : "regs";
  }
}

package io.lapwing.nccl;

import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** A node with the address 10.0.0.0 and the given processes. */
final class RasNode {

  static final long START = 1234;

  private final Path proc;

  RasNode(Path proc) {
    this.proc = proc;
  }

  /** With the processes of the first node of a job. */
  static RasNode of(Path proc, int processes) {
    RasNode node = new RasNode(proc);
    for (int i = 0; i < processes; i++) {
      node.process(1000 + i, START);
    }
    return node;
  }

  RasNode process(int pid, long start) {
    try {
      Path folder = Files.createDirectories(proc.resolve(Integer.toString(pid)));
      Files.writeString(
          folder.resolve("stat"),
          pid + " (python3 (a) b) S" + " 1".repeat(18) + " " + start + " 0".repeat(30) + "\n");
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  RasNode without(int pid) {
    try {
      Files.delete(proc.resolve(pid + "/stat"));
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  ProcFs proc() {
    return new ProcFs(proc);
  }

  static RasSource.NodeAddresses addresses() {
    return () -> Set.of(address(10, 0, 0, 0));
  }

  static InetAddress address(int... bytes) {
    byte[] raw = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      raw[i] = (byte) bytes[i];
    }
    try {
      return InetAddress.getByAddress(raw);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  LocalProcesses processes() {
    return new LocalProcesses(proc(), addresses().now());
  }
}

package io.lapwing.nccl;

import io.lapwing.linux.NodeAddresses;
import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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

  /** A process of that user. */
  RasNode owned(int pid, long uid) {
    write(pid + "/status", "Name:\tpython3\nUmask:\t0022\nUid:\t" + (uid + "\t").repeat(4) + "\n");
    return this;
  }

  /** A user listens on a port. */
  RasNode listening(int port, long uid) {
    write(
        "net/tcp",
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
            + String.format(
                "   0: 0100007F:%04X 00000000:0000 0A 00000000:00000000 00:00000000 00000000"
                    + " %5d        0 12345 1 0000000000000000 100 0 0 10 0\n",
                port, uid));
    return this;
  }

  private void write(String name, String text) {
    try {
      Path file = proc.resolve(name);
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  ProcFs proc() {
    return new ProcFs(proc);
  }

  static NodeAddresses addresses() {
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
    return new LocalProcesses(proc(), addresses().now(), Set.of());
  }
}

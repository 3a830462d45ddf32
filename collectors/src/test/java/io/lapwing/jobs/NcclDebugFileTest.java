package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NcclDebugFileTest {

  private static final String LOG =
      """
      ip-10-0-1-5:20001:20001 [0] NCCL INFO NET/Plugin: Could not find: libnccl-net.so.
      ip-10-0-1-5:20001:20001 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.1.5<0>
      ip-10-0-1-5:20001:20001 [0] NCCL INFO Using network Socket
      ip-10-0-1-5:20001:20199 [0] NCCL INFO Channel 00/0 : 7[7] -> 8[0] [send] via NET/Socket/0
      """;

  @TempDir private Path proc;

  @BeforeEach
  void process() throws IOException {
    Files.createDirectories(proc.resolve("7/root/tmp"));
    Object uid = Files.getAttribute(proc, "unix:uid");
    write("7/status", "Name:\tpython3\nUid:\t" + uid + "\t0\t0\t0\nNSpid:\t7\t20001\n");
    write(
        "7/mountinfo",
        """
        29 1 0:40 / / rw,relatime - overlay overlay rw
        41 29 0:52 / /home/ada/remote rw - fuse.sshfs ada@host: rw
        """);
  }

  private void write(String file, String text) throws IOException {
    Path path = proc.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private NcclDebugFile read(String name) {
    return NcclDebugFile.of(
        new ProcFs(proc),
        7,
        Map.of("NCCL_DEBUG_FILE", name, "HOSTNAME", "ip-10-0-1-5.ec2.internal"));
  }

  @Test
  void theNameIsExpandedAsNcclDoesAndTheFileIsOfTheProcesssRoot() throws IOException {
    write("7/root/tmp/nccl.ip-10-0-1-5.20001.%.log", LOG);

    assertThat(read("/tmp/nccl.%h.%p.%%.log").network()).contains("Socket");
  }

  @Test
  void thePluginNamesItsProvider() {
    NcclDebugFile found =
        NcclDebugFile.parse(
            """
            x:1:1 [0] NCCL INFO NET/OFI Initializing aws-ofi-nccl 1.14.2
            x:1:1 [0] NCCL INFO NET/OFI Selected Provider is efa (found 32 nics)
            x:1:1 [0] NCCL INFO Using network AWS Libfabric
            x:1:9 [0] NCCL INFO Channel 00/0 : 7[7] -> 8[0] [send] via NET/AWS Libfabric/0/GDRDMA
            """);

    assertThat(found)
        .isEqualTo(new NcclDebugFile(Optional.of("AWS Libfabric"), Optional.of("efa")));
  }

  @Test
  void aLargeFileIsReadAtBothEnds() throws IOException {
    String filler = "x:1:1 [0] NCCL INFO AllReduce: opCount 1\n".repeat(20_000);
    write("7/root/tmp/head.log", LOG + filler);
    write("7/root/tmp/tail.log", filler + LOG);
    write("7/root/tmp/middle.log", filler + LOG + filler);

    assertThat(read("/tmp/head.log").network()).contains("Socket");
    assertThat(read("/tmp/tail.log").network()).contains("Socket");
    assertThat(read("/tmp/middle.log").network()).isEmpty();
  }

  @Test
  void aUserCannotMakeItReadOrWaitForAnythingElse() throws Exception {
    write("7/root/home/ada/remote/nccl.log", LOG);
    write("outside.log", LOG);
    Files.createSymbolicLink(proc.resolve("7/root/tmp/link.log"), proc.resolve("outside.log"));
    Files.createSymbolicLink(proc.resolve("7/root/tmp/folder"), proc);
    assertThat(
            new ProcessBuilder("mkfifo", proc.resolve("7/root/tmp/fifo").toString())
                .start()
                .waitFor())
        .isZero();

    for (String name :
        new String[] {
          "/home/ada/remote/nccl.log", // a file system of the user's own
          "/tmp/link.log",
          "/tmp/folder/outside.log",
          "/tmp/fifo",
          "/tmp",
          "/../../outside.log",
          "relative.log",
          "/tmp/none.log",
          "",
          "/" + "x".repeat(5000)
        }) {
      assertThat(read(name)).as(name).isEqualTo(NcclDebugFile.NONE);
    }
  }

  @Test
  void aFileOfAnotherUserIsNotRead() throws IOException {
    write("7/root/tmp/nccl.log", LOG);
    write("7/status", "Name:\tpython3\nUid:\t4294000000\t0\t0\t0\nNSpid:\t7\n");

    assertThat(read("/tmp/nccl.log")).isEqualTo(NcclDebugFile.NONE);
  }
}

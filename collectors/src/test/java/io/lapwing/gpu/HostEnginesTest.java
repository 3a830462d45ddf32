package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.dcgm.DcgmAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostEnginesTest {

  /** No account has it by default. */
  private static final long STRANGER = 54_321;

  @TempDir Path dir;
  private Set<InetAddress> own = Set.of();
  private HostEngines engines;

  @BeforeEach
  void makeProcfs() throws IOException {
    Files.createDirectories(dir.resolve("proc/self/net"));
    listen("");
    engines =
        new HostEngines(
            dir.resolve("proc"),
            DcgmAddress.TCP,
            DcgmAddress.unix(dir.resolve("engine.sock").toString()),
            () -> own);
  }

  /** Port 5555 is 15B3. */
  private void listen(String lines) throws IOException {
    Files.writeString(dir.resolve("proc/self/net/tcp"), "  sl  local_address ...\n" + lines);
  }

  private static String line(String address, long uid) {
    return "   0: %s:15B3 00000000:0000 0A 00000000:00000000 00:00000000 00000000 %d 0 4711 1\n"
        .formatted(address, uid);
  }

  @Test
  void nothingListens() {
    assertThat(engines.listening()).isEmpty();
    assertThat(engines.objection(DcgmAddress.TCP)).isEmpty();
  }

  @Test
  void anEngineOfRootIsFoundAndUsed() throws Exception {
    listen(line("0100007F", 0));
    assertThat(engines.listening()).contains(DcgmAddress.TCP);
    assertThat(engines.objection(DcgmAddress.TCP)).isEmpty();
    listen(line("00000000", 998));
    assertThat(engines.objection(DcgmAddress.TCP)).isEmpty();
  }

  @Test
  void aUserWhoHoldsThePortIsNoEngine() throws Exception {
    listen(line("0100007F", STRANGER));
    assertThat(engines.listening()).contains(DcgmAddress.TCP);
    assertThat(engines.objection(DcgmAddress.TCP))
        .contains("port 5555 is held by user 54321, not by root or a system account");
    assertThat(engines.objection(DcgmAddress.tcp("127.0.0.1:5555"))).isPresent();
    // Another machine.
    assertThat(engines.objection(DcgmAddress.tcp("10.0.0.7:5555"))).isEmpty();
    listen(line("0700000A", STRANGER));
    assertThat(engines.listening()).isEmpty();
  }

  @Test
  void theAddressesAndTheNameOfTheNodeAreItsOwnToo() throws Exception {
    listen(line("0700000A", STRANGER));
    own = Set.of(InetAddress.getByName("10.0.0.7"), InetAddress.getByName("fe80::1"));
    assertThat(engines.objection(DcgmAddress.tcp("10.0.0.7:5555"))).isPresent();
    assertThat(engines.objection(DcgmAddress.tcp("10.0.0.8:5555"))).isEmpty();
    assertThat(engines.objection(DcgmAddress.tcp("[fe80::1%eth0]:5555")))
        .as("no process listens there")
        .isEmpty();
    assertThat(engines.objection(DcgmAddress.tcp("300.0.0.7:5555"))).isEmpty();
    listen(line("00000000", STRANGER));
    assertThat(engines.objection(DcgmAddress.tcp("127.0.0.2:5555"))).isPresent();
    Files.writeString(
        dir.resolve("proc/self/net/tcp6"),
        "h\n   0: 000080FE000000000000000001000000:15B3 0:0 0A 0:0 00:0 0 54321 0 4711 1\n");
    assertThat(engines.objection(DcgmAddress.tcp("[fe80::1%eth0]:5555"))).isPresent();
    listen(line("0700000A", STRANGER));

    Files.createDirectories(dir.resolve("proc/sys/kernel"));
    Files.writeString(dir.resolve("proc/sys/kernel/hostname"), "ip-10-0-0-7\n");
    assertThat(engines.objection(DcgmAddress.tcp("IP-10-0-0-7:5555"))).isPresent();
    assertThat(engines.objection(DcgmAddress.tcp("ip-10-0-0-7.ec2.internal:5555"))).isPresent();
    assertThat(engines.objection(DcgmAddress.tcp("ip-10-0-0-8:5555"))).isEmpty();
  }

  @Test
  void aSocketOfTheAgentsUserIsUsed() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(engines.socket().text()));

      assertThat(engines.listening()).contains(engines.socket());
      assertThat(engines.objection(engines.socket())).isEmpty();
    }
  }

  /** The kernel has no file that says who listens at a port of vsock. */
  @Test
  void aPortOfVsockOnThisNodeIsUsedOnlyIfRootAloneCanHaveIt() {
    assertThat(engines.objection(DcgmAddress.vsock("1:5555")))
        .contains("any user can listen at vsock://1:5555, and who does is unknown");
    assertThat(engines.objection(DcgmAddress.vsock("001:5555"))).isPresent();
    assertThat(engines.objection(DcgmAddress.vsock("1:1023"))).isEmpty();
    assertThat(engines.objection(DcgmAddress.vsock("2:5555"))).isEmpty();
  }

  @Test
  void aProcessWithAnEngineIsFoundByItsName() throws Exception {
    assertThat(engines.process()).isEmpty();
    Files.createDirectories(dir.resolve("proc/812"));
    Files.writeString(dir.resolve("proc/812/comm"), "nv-hostengine\n");
    assertThat(engines.process()).contains("nv-hostengine (pid 812)");
  }
}

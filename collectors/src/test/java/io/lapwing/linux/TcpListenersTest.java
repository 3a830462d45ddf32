package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.TcpListeners.TcpListener;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses are those that a little-endian machine prints. */
class TcpListenersTest {

  private static final Path NET = Path.of("/proc/self/net");
  private static final String HEAD =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

  @Test
  void aListenerOfThisProcessIsFoundWithItsOwner() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      List<TcpListener> found = TcpListeners.on(server.getLocalPort(), NET);

      Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      assertThat(found)
          .containsExactly(
              new TcpListener(
                  InetAddress.getLoopbackAddress(),
                  server.getLocalPort(),
                  ((Number) own).longValue()));
      assertThat(found.get(0).serves(client.getInetAddress())).isTrue();
    }
  }

  @Test
  void aListenerOnAllAddressesServesEachOfThem(@TempDir Path net) throws Exception {
    Files.writeString(
        net.resolve("tcp"),
        HEAD
            + "   0: 0100007F:261A 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0\n"
            + "   1: 0100007F:261A 0200007F:9C40 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 100 0\n"
            + "   2: 00000000:261B 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1002        0 3 1 0 100 0\n");
    Files.writeString(
        net.resolve("tcp6"),
        HEAD
            + "   0: 00000000000000000000000000000000:261A 00000000000000000000000000000000:0000 0A"
            + " 00000000:00000000 00:00000000 00000000     0        0 4 1 0 100 0\n");

    List<TcpListener> found = TcpListeners.on(9754, net);

    assertThat(found).extracting(TcpListener::uid).containsExactly(1000L, 0L);
    assertThat(found.get(0).serves(InetAddress.getByName("10.0.0.1"))).isFalse();
    assertThat(found.get(1).serves(InetAddress.getByName("10.0.0.1"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  0: 0100007F 00000000:0000 0A 0:0 0:0 0 1000 0 1",
        "  0: XX00007F:261A 00000000:0000 0A 0:0 0:0 0 1000 0 1",
        "  0: 0100007F:261A 00000000:0000 0A 0:0 0:0 0 -",
        "  0: 01007F:261A 00000000:0000 0A 0:0 0:0 0 1000 0 1",
        "  0: 0100007F:999999999 00000000:0000 0A 0:0 0:0 0 1000 0 1",
      })
  void aMalformedLineIsIgnored(String line) {
    assertThat(TcpListeners.listener(line)).isEmpty();
  }
}

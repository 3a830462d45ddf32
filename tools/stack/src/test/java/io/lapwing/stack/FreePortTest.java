package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class FreePortTest {

  @Test
  void port_in_use_is_not_taken() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();

      assertThat(FreePort.preferring(port)).isEqualTo("127.0.0.1:0");
    }
    assertThat(FreePort.preferring(port)).isEqualTo("127.0.0.1:" + port);
  }
}

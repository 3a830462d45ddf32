package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.config.Settings;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The addresses that the server listens on. */
class ListenAddressesTest extends WebServerFixture {

  @Test
  void allAddressesAreBound() throws Exception {
    WebServer server =
        start(
            new Settings.Web(List.of(LOOPBACK, LOOPBACK), "/metrics", 40, true, Optional.empty()));

    assertThat(server.addresses()).hasSize(2).doesNotHaveDuplicates();
    for (InetSocketAddress address : server.addresses()) {
      assertThat(get(address, "/-/healthy").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anAddressMayBeIpv6() throws Exception {
    assumeTrue(hasIpv6(), "this machine has no IPv6");

    WebServer server =
        start(
            new Settings.Web(
                List.of(new ListenAddress("::1", 0)), "/metrics", 40, true, Optional.empty()));

    assertThat(get(server, "/-/healthy").statusCode()).isEqualTo(200);
  }

  @Test
  void withoutASocketOfSystemdItDoesNotStart() {
    Settings.Web settings =
        new Settings.Web(
            List.of(LOOPBACK),
            "/metrics",
            40,
            true,
            Optional.empty(),
            true,
            Optional.empty(),
            Settings.Guard.OPEN);

    assertThatThrownBy(() -> start(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("systemd passed no listening TCP socket");
  }

  @Test
  void addressesHaveUrls() throws Exception {
    WebServer server =
        start(
            new Settings.Web(
                List.of(LOOPBACK, new ListenAddress("", 0)),
                "/metrics",
                40,
                true,
                Optional.empty()));

    assertThat(server.urls())
        .containsExactly(
            "http://127.0.0.1:" + server.addresses().get(0).getPort(),
            "http://localhost:" + server.addresses().get(1).getPort());
  }

  @Test
  void anEmptyHostIsEveryAddress() throws Exception {
    WebServer server =
        start(
            new Settings.Web(
                List.of(new ListenAddress("", 0)), "/metrics", 40, true, Optional.empty()));
    int port = server.addresses().get(0).getPort();

    assertThat(
            get(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "/-/healthy")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void aPortInUseIsReportedAndNothingStaysOpen() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress address = new ListenAddress("127.0.0.1", taken.getLocalPort());

      assertThatThrownBy(
              () ->
                  start(
                      new Settings.Web(
                          List.of(LOOPBACK, address), "/metrics", 40, true, Optional.empty())))
          .isInstanceOf(ListenException.class)
          .hasMessage(
              "web.listen-address: cannot listen on " + address + ": Address already in use");
    }
  }

  @Test
  void anAddressOfAnotherHostIsReported() {
    assertThatThrownBy(
            () ->
                start(
                    new Settings.Web(
                        List.of(new ListenAddress("192.0.2.1", 0)),
                        "/metrics",
                        40,
                        true,
                        Optional.empty())))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith("web.listen-address: cannot listen on 192.0.2.1:0: ");
  }

  private static boolean hasIpv6() {
    byte[] loopback = new byte[16];
    loopback[15] = 1;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}

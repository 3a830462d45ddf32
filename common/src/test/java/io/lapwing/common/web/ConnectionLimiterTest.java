package io.lapwing.common.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.junit.jupiter.api.Test;

class ConnectionLimiterTest {

  private final ConnectionLimiter limiter = new ConnectionLimiter(8);

  private EndPoint open(String host) {
    EndPoint endPoint =
        new ByteArrayEndPoint() {
          @Override
          public SocketAddress getRemoteSocketAddress() {
            return new InetSocketAddress(host, 40_000);
          }
        };
    limiter.opened(endPoint);
    return endPoint;
  }

  private List<EndPoint> open(String host, int number) {
    return IntStream.range(0, number).mapToObj(i -> open(host)).toList();
  }

  @Test
  void connectionsOfOneHostEvictEachOther() {
    EndPoint scraper = open("10.0.0.1");
    List<EndPoint> others = open("10.9.0.5", 20);

    assertThat(scraper.isOpen()).isTrue();
    assertThat(others).filteredOn(EndPoint::isOpen).isEqualTo(others.subList(13, 20));
  }

  @Test
  void aNewHostTakesThePlaceOfAnOldConnectionOfTheOneWithMost() {
    List<EndPoint> others = open("10.9.0.5", 8);
    EndPoint scraper = open("10.0.0.1");
    EndPoint second = open("10.0.0.2");

    assertThat(List.of(scraper, second)).allMatch(EndPoint::isOpen);
    assertThat(others).filteredOn(EndPoint::isOpen).isEqualTo(others.subList(2, 8));
  }

  @Test
  void amongHostsWithFewTheLongestIdleOneIsClosed() {
    EndPoint oldest = open("10.9.0.5");
    List<EndPoint> scrapers = open("10.0.0.1", 2);
    List<EndPoint> others = open("10.9.0.6", 3);
    List<EndPoint> more = open("10.9.0.7", 3);

    assertThat(oldest.isOpen()).isFalse();
    assertThat(scrapers).allMatch(EndPoint::isOpen);
    assertThat(others).allMatch(EndPoint::isOpen);
    assertThat(more).allMatch(EndPoint::isOpen);
  }

  @Test
  void belowTheLimitNoneIsClosed() {
    assertThat(open("10.9.0.5", 8)).allMatch(EndPoint::isOpen);
  }
}

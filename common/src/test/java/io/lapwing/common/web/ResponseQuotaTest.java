package io.lapwing.common.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.web.ResponseQuota.Ticket;
import io.lapwing.common.web.ResponseQuota.Timing;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ResponseQuotaTest {

  private final AtomicLong now = new AtomicLong();
  private final Timing timing =
      new Timing(now::get, Timing.USUAL.patience(), Timing.USUAL.deadline());
  private final ResponseQuota quota = new ResponseQuota(0, 20_000, timing);
  private final List<String> aborted = new ArrayList<>();

  private static RemoteHost host(String address) {
    return RemoteHost.of(new InetSocketAddress(address, 40_000));
  }

  private Optional<Ticket> enter(ResponseQuota quota, String address) {
    return quota.enter(host(address), () -> aborted.add(address));
  }

  private Ticket ticket(String address) {
    return enter(quota, address).orElseThrow();
  }

  private void patienceEnds() {
    now.addAndGet(timing.patience().toNanos() + 1);
  }

  @Test
  void responsesOfOneHostAreAcceptedUpToHalfOfTheBytes() {
    assertThat(ticket("10.0.0.1").load(new byte[6_000])).isTrue();
    assertThat(ticket("10.0.0.1").load(new byte[4_000])).isTrue();
    assertThat(ticket("10.0.0.1").load(new byte[1_000])).isFalse();

    assertThat(ticket("10.0.0.2").load(new byte[10_000])).isTrue();
    assertThat(ticket("10.0.0.3").load(new byte[10_000])).isFalse();
    assertThat(aborted).isEmpty();
  }

  @Test
  void aHostThatHoldsMoreMakesRoomAtOnceForOneThatHoldsLess() {
    for (int i = 0; i < 5; i++) {
      assertThat(ticket("10.0.0.1").load(new byte[2_000])).isTrue();
      assertThat(ticket("10.0.0.2").load(new byte[1_800])).isTrue();
    }

    assertThat(ticket("10.0.0.3").load(new byte[2_000])).isTrue();
    assertThat(aborted).containsExactly("10.0.0.1");
    assertThat(ticket("10.0.0.3").load(new byte[8_000])).as("more than the others").isFalse();
  }

  @Test
  void aResponseAboveTheBudgetKeepsNoOtherHostOut() {
    assertThat(ticket("10.0.0.1").load(new byte[50_000])).isTrue();

    assertThat(ticket("10.0.0.2").load(new byte[5_000])).isTrue();
    assertThat(ticket("10.0.0.3").load(new byte[5_000])).isTrue();
    assertThat(ticket("10.0.0.4").load(new byte[1_000])).isTrue();
    assertThat(aborted).as("who holds most").containsExactly("10.0.0.1");
  }

  @Test
  void twoResponsesAboveTheBudgetFitAndAThirdWaitsForTheOldest() {
    assertThat(ticket("10.0.0.1").load(new byte[50_000])).isTrue();
    assertThat(ticket("10.0.0.2").load(new byte[50_000])).isTrue();
    Ticket third = ticket("10.0.0.3");
    assertThat(third.load(new byte[50_000])).isFalse();

    patienceEnds();

    assertThat(third.load(new byte[50_000])).isTrue();
    assertThat(aborted).containsExactly("10.0.0.1");
  }

  /** Random requests and ends of responses: memory stays bounded, and one host keeps none out. */
  @Test
  void theBytesInFlightStayBoundedWhateverIsAsked() {
    Random random = new Random(1);
    List<Flight> flights = new ArrayList<>();
    List<byte[]> pages = new ArrayList<>(List.of(new byte[50_000]));
    int admitted = 0;
    for (int i = 0; i < 20_000; i++) {
      now.addAndGet(random.nextInt(100_000_000));
      if (random.nextInt(20) == 0) {
        pages.add(new byte[random.nextInt(50_001)]);
      }
      if (random.nextInt(3) == 0 && !flights.isEmpty()) {
        flights.remove(random.nextInt(flights.size())).ticket().release();
      }
      byte[] page = pages.get(Math.max(0, pages.size() - 1 - random.nextInt(4)));
      AtomicReference<Flight> flight = new AtomicReference<>();
      Ticket ticket =
          quota
              .enter(host("10.0.0." + random.nextInt(9)), () -> flights.remove(flight.get()))
              .orElseThrow();
      flight.set(new Flight(ticket, page));
      if (ticket.load(page)) {
        admitted++;
        flights.add(flight.get());
      } else {
        ticket.release();
      }
      assertThat(bytes(flights)).isLessThanOrEqualTo(2 * 50_000 + 512 * flights.size());
    }
    assertThat(admitted).isBetween(1_000, 19_000);
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Flight(Ticket ticket, byte[] body) {}

  private static long bytes(List<Flight> flights) {
    Set<byte[]> bodies = Collections.newSetFromMap(new IdentityHashMap<>());
    flights.forEach(flight -> bodies.add(flight.body()));
    return bodies.stream().mapToLong(body -> body.length).sum();
  }

  @Test
  void aReleasedResponseFreesItsBytes() {
    Ticket sent = ticket("10.0.0.1");
    assertThat(sent.load(new byte[9_000])).isTrue();
    sent.release();
    sent.release();

    assertThat(ticket("10.0.0.1").load(new byte[9_000])).isTrue();
    assertThat(ticket("10.0.0.1").load(new byte[9_000])).isFalse();
  }

  @Test
  void sharedBytesCountOnceUntilTheLastRelease() {
    byte[] page = new byte[9_000];
    Ticket first = ticket("10.0.0.1");
    Ticket second = ticket("10.0.0.1");
    assertThat(first.load(page)).isTrue();
    assertThat(second.load(page)).isTrue();

    first.release();
    assertThat(ticket("10.0.0.1").load(new byte[9_000])).isFalse();
    second.release();
    assertThat(ticket("10.0.0.1").load(new byte[9_000])).isTrue();
  }

  @Test
  void aSingleResponseMayExceedTheBudgetAndATinyOneIsAlwaysAccepted() {
    assertThat(ticket("10.0.0.1").load(new byte[50_000])).isTrue();
    assertThat(ticket("10.0.0.1").load(new byte[1_000])).isFalse();
    assertThat(ticket("10.0.0.1").load(new byte[100])).isTrue();
  }

  @Test
  void oneHostGetsHalfOfThePlaces() {
    ResponseQuota places = new ResponseQuota(4, 1_000, timing);

    assertThat(enter(places, "10.0.0.1")).isPresent();
    assertThat(enter(places, "10.0.0.1")).isPresent();
    assertThat(enter(places, "10.0.0.1")).isEmpty();
    assertThat(enter(places, "10.0.0.2")).isPresent();
    assertThat(enter(places, "10.0.0.2")).isPresent();
    assertThat(enter(places, "10.0.0.2")).isEmpty();
    assertThat(aborted).isEmpty();
  }

  @Test
  void aHostWithoutAResponseGetsAPlaceOfTheHostWithMost() {
    ResponseQuota places = new ResponseQuota(5, 1_000, timing);
    for (String address : List.of("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.2", "10.0.0.1")) {
      assertThat(enter(places, address)).isPresent();
    }

    assertThat(enter(places, "10.0.0.1")).as("has some").isEmpty();
    assertThat(enter(places, "10.0.0.3")).isPresent();
    assertThat(aborted).containsExactly("10.0.0.2");
    assertThat(enter(places, "10.0.0.4")).isPresent();
    assertThat(enter(places, "10.0.0.5")).isPresent();
    assertThat(enter(places, "10.0.0.6")).as("each has one").isEmpty();
  }

  @Test
  void aSlowResponseMakesPlaceForANewRequest() {
    ResponseQuota places = new ResponseQuota(4, 1_000, timing);
    for (String address : List.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.3")) {
      assertThat(enter(places, address)).isPresent();
    }

    patienceEnds();

    assertThat(enter(places, "10.0.0.3")).isPresent();
    assertThat(aborted).as("its own, for it has its share").containsExactly("10.0.0.3");
    assertThat(enter(places, "10.0.0.4")).isPresent();
    assertThat(aborted).as("the oldest").containsExactly("10.0.0.3", "10.0.0.1");
  }

  @Test
  void slowResponsesMakeRoomForANewPage() {
    Ticket slow = ticket("10.0.0.1");
    assertThat(slow.load(new byte[9_000])).isTrue();
    assertThat(ticket("10.0.0.2").load(new byte[9_000])).isTrue();
    Ticket scrape = ticket("10.0.0.3");
    assertThat(scrape.load(new byte[9_000])).isFalse();

    patienceEnds();

    assertThat(scrape.load(new byte[9_000])).isTrue();
    assertThat(aborted).containsExactly("10.0.0.1");
  }

  @Test
  void aHostIsAnAddressAnIpv6NetworkThisNodeOrTheUnixSocket() {
    assertThat(host("2001:db8::1")).isEqualTo(host("2001:db8::ffff:2"));
    assertThat(host("2001:db8::1")).isNotEqualTo(host("2001:db8:0:1::1"));
    assertThat(host("10.0.0.1")).isNotEqualTo(host("10.0.0.2"));
    assertThat(host("127.0.0.1")).isEqualTo(host("::1")).isNotEqualTo(host("127.0.0.2"));
    assertThat(host("127.0.0.2")).isEqualTo(host("127.9.9.1"));
    assertThat(RemoteHost.of(UnixDomainSocketAddress.of("")))
        .isEqualTo(RemoteHost.of(UnixDomainSocketAddress.of("")))
        .isNotEqualTo(host("127.0.0.1"))
        .isNotEqualTo(host("127.0.0.2"));
  }
}

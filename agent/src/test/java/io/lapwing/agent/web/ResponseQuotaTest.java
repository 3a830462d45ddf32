package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.web.ResponseQuota.Ticket;
import io.lapwing.agent.web.ResponseQuota.Timing;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
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
    assertThat(ticket("10.0.0.3").load(new byte[1_000])).isFalse();
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
    assertThat(enter(places, "10.0.0.3")).isEmpty();
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
  void aHostIsAnAddressAnIpv6NetworkOrThisNode() {
    assertThat(host("2001:db8::1")).isEqualTo(host("2001:db8::ffff:2"));
    assertThat(host("2001:db8::1")).isNotEqualTo(host("2001:db8:0:1::1"));
    assertThat(host("10.0.0.1")).isNotEqualTo(host("10.0.0.2"));
    assertThat(host("127.0.0.1")).isEqualTo(host("::1")).isNotEqualTo(host("127.0.0.2"));
    assertThat(host("127.0.0.2")).isEqualTo(host("127.9.9.1"));
    assertThat(RemoteHost.of(UnixDomainSocketAddress.of(""))).isEqualTo(host("127.0.0.1"));
  }
}

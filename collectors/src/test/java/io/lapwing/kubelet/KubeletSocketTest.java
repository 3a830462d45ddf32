package io.lapwing.kubelet;

import static io.lapwing.kubelet.PodResourcesProto.container;
import static io.lapwing.kubelet.PodResourcesProto.devices;
import static io.lapwing.kubelet.PodResourcesProto.pod;
import static io.lapwing.kubelet.PodResourcesProto.reply;
import static io.lapwing.kubelet.PodResourcesProto.withClaim;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import io.grpc.Status;
import io.lapwing.collect.Reading;
import io.lapwing.kubelet.PodResources.Claim;
import io.lapwing.kubelet.PodResources.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against gRPC's own server, and against other things on a socket. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class KubeletSocketTest {

  private static final String GPU = "GPU-00000000-0000-4000-8000-000000000000";

  private Path dir = Path.of("");
  private Path socket = Path.of("");

  /** A socket path is limited to about a hundred characters. */
  @BeforeEach
  void socket() throws IOException {
    dir = Files.createTempDirectory("kubelet");
    socket = dir.resolve("kubelet.sock");
  }

  @AfterEach
  void remove() throws IOException {
    Files.deleteIfExists(socket);
    Files.delete(dir);
  }

  private Reading<List<Device>> list() {
    return list(Duration.ofSeconds(20));
  }

  private Reading<List<Device>> list(Duration timeout) {
    KubeletSocket client = new KubeletSocket(socket, timeout);
    try {
      return client.list();
    } finally {
      client.close();
    }
  }

  private static byte[] aNode() {
    return reply(
            pod("kube-system", "coredns", container("coredns")),
            pod(
                "ml",
                "trainer-0",
                container(
                    "trainer",
                    devices("nvidia.com/gpu", GPU, "GPU-1"),
                    devices("vpc.amazonaws.com/efa", "rdmap79s0")),
                container("sidecar", devices("nvidia.com/mig-1g.10gb", "MIG-1"))),
            pod("ml", "claimer", withClaim(container("x"), "gpu.nvidia.com", "gpu-3")))
        .toByteArray();
  }

  @Test
  void listsGpusOfAllPods() throws IOException {
    try (FakeKubelet kubelet = FakeKubelet.that(socket, aNode())) {
      assertThat(list())
          .isEqualTo(
              Reading.of(
                  List.of(
                      new Device("ml", "trainer-0", "trainer", "nvidia.com/gpu", GPU),
                      new Device("ml", "trainer-0", "trainer", "nvidia.com/gpu", "GPU-1"),
                      new Device("ml", "trainer-0", "sidecar", "nvidia.com/mig-1g.10gb", "MIG-1"),
                      new Device(
                          "ml",
                          "claimer",
                          "x",
                          "gpu.nvidia.com",
                          "gpu-3",
                          new Claim("single-gpu", "ml", "gpu.nvidia.com", "node-1", "gpu-3")))));
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void aNodeWithoutPodsHasNoDevices() throws IOException {
    try (FakeKubelet kubelet = FakeKubelet.that(socket, new byte[0])) {
      assertThat(list()).isEqualTo(Reading.of(List.of()));
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void aLongReplyIsStreamed() throws IOException {
    byte[] pods =
        reply(
                IntStream.range(0, 40_000)
                    .mapToObj(
                        i -> pod("ml", "pod-" + i, container("x", devices("cpu", "a".repeat(99)))))
                    .toArray(DynamicMessage[]::new))
            .toByteArray();
    assertThat(pods.length).isBetween(5 << 20, 15 << 20);
    try (FakeKubelet kubelet = FakeKubelet.that(socket, pods)) {
      assertThat(list()).isEqualTo(Reading.of(List.of()));
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void aReplyOverTheLimitIsRejected() throws IOException {
    try (FakeKubelet kubelet = FakeKubelet.that(socket, new byte[(16 << 20) + 1])) {
      assertThat(list().failure()).hasValue("too_large");
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void moreDevicesThanANodeCanHaveAreRejected() throws IOException {
    String[] ids =
        IntStream.rangeClosed(0, PodResources.MAX_DEVICES)
            .mapToObj(i -> "GPU-" + i)
            .toArray(String[]::new);
    byte[] reply =
        reply(pod("a", "b", container("c", devices("nvidia.com/gpu", ids)))).toByteArray();
    try (FakeKubelet kubelet = FakeKubelet.that(socket, reply)) {
      assertThat(list().failure()).hasValue("too_many");
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void everyErrorStatusIsAFailureWithItsName() throws IOException {
    for (Status status :
        List.of(
            Status.UNIMPLEMENTED, Status.RESOURCE_EXHAUSTED, Status.UNAVAILABLE, Status.INTERNAL)) {
      try (FakeKubelet kubelet = FakeKubelet.that(socket, status)) {
        assertThat(list().failure()).hasValue(status.getCode().name().toLowerCase(Locale.ROOT));
        assertThat(kubelet).isNotNull();
      }
      Files.deleteIfExists(socket);
    }
  }

  @Test
  void anErrorStatusAfterAReplyFailsIt() throws IOException {
    FakeKubelet.Behaviour late =
        to -> {
          to.onNext(aNode());
          to.onError(Status.ABORTED.asRuntimeException());
        };
    try (FakeKubelet kubelet = new FakeKubelet(socket, late)) {
      assertThat(list()).isInstanceOf(Reading.Failed.class);
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void anInvalidMessageIsMalformed() throws IOException {
    for (String bytes : List.of("\n", "\n\u007f", "hello", "\u0000", "\u00ff".repeat(20))) {
      try (FakeKubelet kubelet =
          FakeKubelet.that(socket, bytes.getBytes(StandardCharsets.ISO_8859_1))) {
        assertThat(list().failure()).as(bytes).hasValue("malformed");
        assertThat(kubelet).isNotNull();
      }
      Files.deleteIfExists(socket);
    }
  }

  @Test
  void aServerThatNeverRepliesTimesOut() throws IOException {
    try (FakeKubelet kubelet = new FakeKubelet(socket, to -> {})) {
      assertThat(list(Duration.ofMillis(300)).failure())
          .isPresent()
          .get()
          .isIn("timed_out", "deadline_exceeded");
      assertThat(kubelet).isNotNull();
    }
  }

  @Test
  void aServerThatAcceptsAndIsSilentTimesOut() throws IOException {
    try (RawSocket silent = new RawSocket(socket, connection -> Thread.sleep(30_000))) {
      assertThat(list(Duration.ofMillis(300)).failure()).hasValue("timed_out");
      assertThat(silent).isNotNull();
    }
  }

  @Test
  void aServerThatClosesAtOnceIsClosed() throws IOException {
    try (RawSocket closing = new RawSocket(socket, connection -> {})) {
      assertThat(list().failure()).get().isIn("closed", "io");
      assertThat(closing).isNotNull();
    }
  }

  @Test
  void garbageIsAFailure() throws IOException {
    byte[] noise = new byte[4096];
    new Random(1).nextBytes(noise);
    for (byte[] bytes :
        List.of(
            "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 2, 3},
            noise)) {
      try (RawSocket other = new RawSocket(socket, RawSocket.saying(bytes))) {
        assertThat(list(Duration.ofSeconds(5)).failure())
            .get()
            .isIn("closed", "malformed", "io", "timed_out");
        assertThat(other).isNotNull();
      }
      Files.deleteIfExists(socket);
    }
  }

  @Test
  void withoutASocketThereIsNoKubelet() {
    assertThat(list()).isInstanceOf(Reading.Missing.class);
  }

  @Test
  void withoutPermissionAbsenceIsUnknown() throws IOException {
    Files.createSymbolicLink(socket, socket);
    assertThat(list()).isEqualTo(new Reading.Failed<>(socket.toString(), "io"));
  }

  @Test
  void aSocketWithoutAListenerIsRefused() throws IOException {
    new RawSocket(socket, connection -> {}).close();
    assertThat(list().failure()).hasValue("refused");
  }

  @Test
  void aRegularFileIsRefused() throws IOException {
    Files.writeString(socket, "");
    assertThat(list().failure()).hasValue("refused");
  }

  @Test
  void aRestartedKubeletIsCalledAgain() throws IOException {
    KubeletSocket client = new KubeletSocket(socket, Duration.ofSeconds(20));
    for (int i = 0; i < 2; i++) {
      try (FakeKubelet kubelet = FakeKubelet.that(socket, aNode())) {
        assertThat(client.list()).isInstanceOf(Reading.Present.class);
        assertThat(kubelet).isNotNull();
      }
      Files.deleteIfExists(socket);
    }
    client.close();
  }

  @Test
  void theConnectionIsKept() throws IOException {
    KubeletSocket client = new KubeletSocket(socket, Duration.ofSeconds(20));
    try (FakeKubelet kubelet = FakeKubelet.that(socket, aNode())) {
      for (int call = 0; call < 5; call++) {
        assertThat(client.list()).isInstanceOf(Reading.Present.class);
      }
      assertThat(kubelet.connections()).isEqualTo(1);
      client.close();
      assertThat(client.list()).isInstanceOf(Reading.Present.class);
      assertThat(kubelet.connections()).isEqualTo(2);
    }
    client.close();
  }

  @Test
  void noThreadLeaks() throws IOException {
    try (FakeKubelet kubelet = FakeKubelet.that(socket, aNode())) {
      list();
      list();
      assertThat(kubelet).isNotNull();
    }
    Awaitility.await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("kubelet")));
  }
}

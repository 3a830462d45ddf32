package io.lapwing.kubelet;

import static io.lapwing.kubelet.PodResourcesProto.container;
import static io.lapwing.kubelet.PodResourcesProto.devices;
import static io.lapwing.kubelet.PodResourcesProto.pod;
import static io.lapwing.kubelet.PodResourcesProto.reply;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PodResourcesReplyTest {

  private static final byte[] REPLY =
      reply(pod("ml", "trainer-0", container("trainer", devices("nvidia.com/gpu", "GPU-0"))))
          .toByteArray();

  private static Optional<List<PodResources.Device>> read(byte[] bytes) throws IOException {
    try {
      return Optional.of(
          PodResourcesReply.read(new ProtoReader(new ByteArrayInputStream(bytes), bytes.length)));
    } catch (CallFailure failed) {
      assertThat(failed.reason()).isIn("malformed", "closed", "too_many");
      return Optional.empty();
    }
  }

  @Property(tries = 200)
  void whatProtobufWritesIsRead(
      @ForAll @AlphaChars String name, @ForAll @Size(max = 20) List<@AlphaChars String> ids)
      throws IOException {
    byte[] bytes =
        reply(pod("a", name, container("c", devices("nvidia.com/gpu", ids.toArray(String[]::new)))))
            .toByteArray();
    String cut = name.substring(0, Math.min(256, name.length()));
    assertThat(read(bytes).orElseThrow())
        .allSatisfy(device -> assertThat(device.pod()).isEqualTo(cut))
        .hasSize(ids.size());
  }

  @Test
  void fieldOrderDoesNotMatter() throws IOException {
    // containers{devices{device_ids="G" resource_name="nvidia.com/gpu"} name="c"} name="p"
    byte[] device = field(1, "nvidia.com/gpu".getBytes(StandardCharsets.UTF_8));
    byte[] container =
        join(field(2, join(field(2, new byte[] {'G'}), device)), field(1, new byte[] {'c'}));
    byte[] pod = join(field(3, container), field(1, new byte[] {'p'}));
    assertThat(read(field(1, pod)).orElseThrow())
        .containsExactly(new PodResources.Device("", "p", "c", "nvidia.com/gpu", "G"));
  }

  private static byte[] field(int number, byte[] content) {
    byte[] head = {(byte) (number << 3 | 2), (byte) content.length};
    return join(head, content);
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Property
  void anyBytesAreReadOrRejected(@ForAll byte[] bytes) throws IOException {
    assertThat(read(bytes)).isNotNull();
  }

  @Property
  void aReplyThatWasCutOrChangedIsReadOrRefused(
      @ForAll @IntRange(max = 200) int length,
      @ForAll @IntRange(max = 200) int at,
      @ForAll byte with)
      throws IOException {
    byte[] bytes = Arrays.copyOf(REPLY, Math.min(REPLY.length, length));
    if (at < bytes.length) {
      bytes[at] = with;
    }
    assertThat(read(bytes)).isNotNull();
  }
}

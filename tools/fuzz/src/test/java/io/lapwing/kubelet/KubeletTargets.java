package io.lapwing.kubelet;

import io.lapwing.fuzz.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Responses of the kubelet. */
public final class KubeletTargets {

  private KubeletTargets() {}

  public static List<Target> all() {
    String device = message(2, message(1, "nvidia.com/gpu") + message(2, "GPU-0"));
    String container = message(3, message(1, "trainer") + device);
    String pod = message(1, message(1, "trainer-0") + message(2, "ml") + container);
    String claim = message(5, message(4, message(2, "gpu.nvidia.com") + message(4, "gpu-0")));
    return List.of(
        Target.ofBytes("pod-resources", KubeletTargets::reply)
            .seeds(pod, pod + pod, message(1, message(3, message(1, "c") + claim))));
  }

  /** In the wire format, as long as it is short. */
  private static String message(int field, String content) {
    return String.valueOf((char) (field << 3 | 2)) + (char) content.length() + content;
  }

  private static void reply(byte[] input) throws IOException {
    try {
      PodResourcesReply.read(new ProtoReader(new ByteArrayInputStream(input), input.length));
    } catch (CallFailure declared) {
      declared.reason();
    }
    KubeletCall.GrpcStatus.name(new String(input, StandardCharsets.ISO_8859_1));
  }
}

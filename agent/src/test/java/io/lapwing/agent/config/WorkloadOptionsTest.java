package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.config.ValueType;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.nccl.RasEndpoint;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadOptionsTest {

  @Test
  void enginesAreOffFoundOrNamed() throws Exception {
    assertThat(InferenceTargets.parse("off").any()).isFalse();
    assertThat(InferenceTargets.parse("auto"))
        .matches(targets -> targets.any() && targets.auto() && targets.pages().isEmpty());
    assertThat(InferenceTargets.parse("http://localhost:8000/metrics, http://[::1]:30000").pages())
        .containsExactly(
            URI.create("http://localhost:8000/metrics"), URI.create("http://[::1]:30000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yes",
        "https://localhost:8000",
        "http://user:secret@localhost",
        "http://localhost#part",
        "http://localhost:8000,",
        "http:///metrics",
        "localhost:8000"
      })
  void whatIsNoPageIsRefused(String text) {
    assertThatThrownBy(() -> InferenceTargets.parse(text)).isInstanceOf(ValueType.Invalid.class);
  }

  @Test
  void dcgmIsOffFoundNamedOrEmbedded() throws Exception {
    assertThat(NodeValueTypes.DCGM_MODE.parse("off")).isEqualTo(DcgmMode.OFF);
    assertThat(NodeValueTypes.DCGM_MODE.parse("auto")).isEqualTo(new DcgmMode.Auto());
    assertThat(NodeValueTypes.DCGM_MODE.parse("embedded")).isEqualTo(new DcgmMode.Embedded());
    assertThat(NodeValueTypes.DCGM_MODE.parse("localhost:5555"))
        .isEqualTo(new DcgmMode.At(DcgmAddress.TCP));
    assertThat(NodeValueTypes.DCGM_MODE.parse("unix:/tmp/nv-hostengine"))
        .isEqualTo(new DcgmMode.At(DcgmAddress.UNIX));
    assertThat(NodeValueTypes.DCGM_MODE.parse("vsock://4294967294:5555"))
        .isEqualTo(new DcgmMode.At(DcgmAddress.vsock("4294967294:5555")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "on",
        "localhost",
        "localhost:0",
        "tcp://localhost:5555",
        "unix:",
        "unix:tmp/nv-hostengine",
        "vsock:2:5555",
        "vsock://",
        "vsock://2",
        "vsock://:5555",
        "vsock://2:0",
        "vsock://2:65536",
        "vsock://host:5555",
        "vsock://-1:5555",
        "vsock://4294967295:5555",
        "VSOCK://2:5555"
      })
  void whatIsNoHostEngineIsRefused(String text) {
    assertThatThrownBy(() -> NodeValueTypes.DCGM_MODE.parse(text))
        .isInstanceOf(ValueType.Invalid.class);
  }

  @Test
  void rasIsOffUsualOrNamed() throws Exception {
    assertThat(NodeValueTypes.RAS_ENDPOINT.parse("off")).isEmpty();
    assertThat(NodeValueTypes.RAS_ENDPOINT.parse("auto"))
        .contains(new RasEndpoint("localhost", 28028));
    assertThat(NodeValueTypes.RAS_ENDPOINT.parse("10.0.0.7:28030"))
        .contains(new RasEndpoint("10.0.0.7", 28030));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost", ":28028", "localhost:", "localhost:0", "localhost:65536"})
  void whatIsNoAddressIsRefused(String text) {
    assertThatThrownBy(() -> NodeValueTypes.RAS_ENDPOINT.parse(text))
        .isInstanceOf(ValueType.Invalid.class);
  }
}

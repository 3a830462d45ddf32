package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.Dcgm;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostEngineAccessTest {

  private static final DcgmMode AUTO = new DcgmMode.Auto();
  private static final DcgmMode EMBEDDED = new DcgmMode.Embedded();
  private static final DcgmMode AT = new DcgmMode.At(DcgmAddress.TCP);

  @TempDir Path dir;
  private final List<String> calls = new ArrayList<>();
  private Reading<Dcgm> library = Reading.of(new RefusingDcgm());

  /** Records the requests. */
  private final class RefusingDcgm implements Dcgm {

    @Override
    public String version() {
      return "4.4.2";
    }

    @Override
    public Reading<DcgmEngine> connect(DcgmAddress address) {
      calls.add("connect " + address);
      return new Reading.Failed<>("dcgmConnect_v2", "connection_not_valid");
    }

    @Override
    public Reading<DcgmEngine> startEmbedded() {
      calls.add("start");
      return new Reading.Failed<>("dcgmStartEmbedded_v2", "init_error");
    }
  }

  @BeforeEach
  void makeProcfs() throws IOException {
    Files.createDirectories(dir.resolve("proc/self/net"));
    Files.writeString(dir.resolve("proc/self/net/tcp"), "");
  }

  private Access open(DcgmMode mode, boolean seen) {
    HostEngines engines =
        new HostEngines(
            dir.resolve("proc"),
            DcgmAddress.TCP,
            DcgmAddress.unix(dir.resolve("engine.sock").toString()),
            Set::of);
    HostEngineAccess access =
        new HostEngineAccess(
            mode,
            engines,
            () -> {
              calls.add("load");
              return library;
            });
    return ((HostEngineAccess.Refused) access.open(seen)).access();
  }

  private void engineOf(long uid) throws IOException {
    Files.writeString(
        dir.resolve("proc/self/net/tcp"),
        "   0: 0100007F:15B3 00000000:0000 0A 00000000:00000000 00:00000000 00000000 %d 0 4711 1\n"
            .formatted(uid));
  }

  @Test
  void withoutAnEngineAutoLoadsNothing() {
    assertThat(open(AUTO, false))
        .isEqualTo(new Access.NothingHere("no DCGM host engine listens on this node"));
    assertThat(calls).isEmpty();
  }

  @Test
  void anEngineThatWasThereIsMissed() {
    assertThat(open(AUTO, true))
        .isEqualTo(new Access.Down("no_host_engine", "no DCGM host engine listens on this node"));
  }

  @Test
  void autoUsesTheEngineThatRuns() throws Exception {
    engineOf(0);
    assertThat(open(AUTO, false))
        .isEqualTo(new Access.NothingHere("dcgmConnect_v2 (localhost:5555): connection_not_valid"));
    assertThat(calls).containsExactly("load", "connect localhost:5555");
  }

  @Test
  void anEngineOfAUserIsNotEvenConnectedTo() throws Exception {
    engineOf(54_321);
    assertThat(open(AT, false)).isInstanceOf(Access.Down.class).asString().contains("not_trusted");
    assertThat(open(AUTO, false)).isInstanceOf(Access.NothingHere.class);
    assertThat(open(EMBEDDED, false)).isInstanceOf(Access.Down.class);
    assertThat(calls).isEmpty();
  }

  @Test
  void onlyAutoTakesANodeWithoutTheLibraryToBeInOrder() throws Exception {
    String why = "no DCGM library: libdcgm.so.4, libdcgm.so.3";
    library = new Reading.Failed<>("libdcgm.so.4, libdcgm.so.3", "library_not_found");
    assertThat(open(AT, false)).isEqualTo(new Access.Down("library_not_found", why));
    assertThat(open(EMBEDDED, false)).isEqualTo(new Access.Down("library_not_found", why));
    engineOf(0);
    assertThat(open(AUTO, false)).isEqualTo(new Access.NothingHere(why));
    library = new Reading.Failed<>("libdcgm.so.4", "not_dcgm");
    assertThat(open(AT, false))
        .isEqualTo(new Access.Down("not_dcgm", "libdcgm.so.4 is not used: not_dcgm"));
  }

  @Test
  void anEngineIsEmbeddedOnlyWhereNoneRuns() throws Exception {
    assertThat(open(EMBEDDED, false)).isInstanceOf(Access.Down.class);
    assertThat(calls).containsExactly("load", "start");

    calls.clear();
    engineOf(0);
    open(EMBEDDED, false);
    assertThat(calls).containsExactly("load", "connect localhost:5555");

    calls.clear();
    Files.writeString(dir.resolve("proc/self/net/tcp"), "");
    Files.createDirectories(dir.resolve("proc/77"));
    Files.writeString(dir.resolve("proc/77/comm"), "dcgm-exporter\n");
    assertThat(open(EMBEDDED, false)).asString().contains("dcgm-exporter (pid 77)");
    assertThat(calls).isEmpty();
  }
}

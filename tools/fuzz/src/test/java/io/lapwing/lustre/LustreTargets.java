package io.lapwing.lustre;

import io.lapwing.fuzz.Target;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.List;

/** The files of Lustre's client. */
public final class LustreTargets {

  private static final String RECORDED = "collectors/src/test/resources/lustre/**/";

  private LustreTargets() {}

  /** One reader of one file. */
  private interface Reader {
    Object read(KernelText text) throws ParseFailure;
  }

  public static List<Target> all() {
    return List.of(
        file("lustre-stats", StatsFile::parse).recordings(RECORDED + "*stats"),
        file("lustre-import", ImportFile::parse).recordings(RECORDED + "import"),
        file("lustre-rpc-stats", RpcStatsFile::parse).recordings(RECORDED + "rpc_stats"),
        file("lustre-timeouts", TargetLimits.TimeoutsFile::parse).recordings(RECORDED + "timeouts"),
        file("lustre-state", StateFile::parse).recordings(RECORDED + "state"),
        Target.ofText("lustre-small", LustreTargets::small)
            .recordings(
                RECORDED + "{max_cached_mb,statahead_stats,version,health_check,kbytesfree}")
            .seeds("scratch-OST0000-osc-ffff9d0c12345000", "scratch-ffff9d0c12345000"));
  }

  private static Target file(String name, Reader reader) {
    return Target.ofText(name, text -> read(text, reader));
  }

  private static void read(String text, Reader reader) {
    try {
      reader.read(KernelText.of("file", text));
    } catch (ParseFailure declared) {
      Target.demand(declared.line() > 0, "a failure names its line");
    }
  }

  private static void small(String text) {
    read(text, NumberLines::parse);
    read(text, NumberLines::single);
    read(text, LustreSource.HealthCheck::parse);
    read(text, LustreSource::version);
    LustreName.mount(text);
    LustreName.target(text).ifPresent(LustreName::name);
  }
}

package io.lapwing.lnet;

import io.lapwing.fuzz.Target;
import io.lapwing.linux.ParseFailure;
import java.util.List;

/** The tables of LNet. */
public final class LnetTargets {

  private static final String RECORDED = "collectors/src/test/resources/lustre/**/lnet/";

  private LnetTargets() {}

  public static List<Target> all() {
    return List.of(
        table("lnet-stats", LnetStats.Counts::parse).recordings(RECORDED + "stats"),
        table("lnet-nis", LnetInterfaces.Interface::parse).recordings(RECORDED + "nis"),
        table("lnet-peers", LnetPeers.Peer::parse).recordings(RECORDED + "peers"));
  }

  private static <T> Target table(String name, LnetTable.Parser<T> parser) {
    return Target.ofText(
        name,
        text -> {
          try {
            parser.parse("file", text);
          } catch (ParseFailure declared) {
            Target.demand(declared.line() > 0, "a failure names its line");
          }
        });
  }
}

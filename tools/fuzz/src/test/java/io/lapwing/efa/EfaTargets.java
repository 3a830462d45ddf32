package io.lapwing.efa;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Target;
import java.util.List;

/** Words of EFA devices in sysfs; their counters are single numbers. */
public final class EfaTargets {

  private EfaTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("efa-words", EfaTargets::words)
            .seeds("100 Gb/sec (4X EDR)", "fe80:0000:0000:0000:0cff:fe12:3456:789a"));
  }

  private static void words(String text) {
    EfaDeviceSource.PortRate.parse(text)
        .ifPresent(rate -> demand(rate >= 0, "a rate below nothing"));
    EfaFacts.EniMac.ofGid(text).ifPresent(mac -> demand(mac.length() == 17, "no MAC address"));
  }
}

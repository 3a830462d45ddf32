package io.lapwing.host;

import io.lapwing.fuzz.Target;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.List;

/** /proc/pressure. */
public final class HostTargets {

  private HostTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("pressure", HostTargets::pressure)
            .seeds(
                """
                some avg10=0.22 avg60=0.17 avg300=1.11 total=58761459
                full avg10=0.22 avg60=0.16 avg300=1.08 total=58464525
                """));
  }

  private static void pressure(String text) {
    try {
      PressureSource.PressureFile.parse(KernelText.of("pressure", text));
    } catch (ParseFailure declared) {
      Target.demand(declared.line() > 0, "a failure names its line");
    }
  }
}

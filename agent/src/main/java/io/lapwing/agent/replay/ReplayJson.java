package io.lapwing.agent.replay;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.agent.web.HealthJson;
import io.lapwing.host.HostMessage;
import io.lapwing.json.JsonWriter;
import io.lapwing.json.JsonWriter.Members;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.XidDetail;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A replay as JSON, an object on each line:
 *
 * <pre>
 * {"time":"2026-11-20T03:12:44Z","kind":"xid","pci":"0000:53:00","gpu_instance":null,
 * "compute_instance":null,"xid":95,"pid":7194,"process":"python3","message":"Uncontained: ...",
 * "cause":null,"flags":{"contained":false,"reset":true,"drain_and_reset":false},"unit":"LTC TAG",
 * "severity":"failing","action":"reset_gpu","urgency":"now"}
 * {"time":"...","kind":"host_fault","fault":"oom_kill","device":"cgroup","pid":7194,
 * "process":"python3","times":1,"message":"Memory cgroup out of memory: ..."}
 * {"time":"...","kind":"verdict","from":"healthy","to":"failing","action":"reset_gpu","why":"..."}
 * {"time":"...","kind":"boot","boot_id":null}
 * {"kind":"end","lines":1200,"known_lines":1200,"kernel_messages":1100,"events":17,"warning":null,
 * "health":{...}}
 * </pre>
 *
 * <p>{@code severity}, {@code action} and {@code urgency} come from the policy, null if it has no
 * row. {@code health} is as in {@code /api/v1/health}.
 */
public record ReplayJson(JsonWriter json) implements ReplayOutput {

  @Override
  public void event(ReplayedEvent event) {
    Optional<Disposition> call = event.call();
    json.object(
        line -> {
          line.member("time", event.at()).member("kind", event.kind());
          fact(event.fact(), line);
          line.member("severity", call.map(one -> one.severity().text()))
              .member("action", call.map(one -> one.action().text()))
              .member("urgency", call.map(one -> one.urgency().text()));
        });
  }

  @Override
  public void hostFault(Optional<Instant> at, HostMessage.Fault fault) {
    json.object(
        line ->
            line.member("time", at)
                .member("kind", "host_fault")
                .member("fault", fault.kind().text())
                .member("device", fault.device())
                .member("pid", fault.pid())
                .member("process", fault.process())
                .member("times", fault.times())
                .member("message", fault.text()));
  }

  @Override
  public void verdict(Instant at, Verdict from, Verdict to, Action action, String why) {
    json.object(
        line ->
            line.member("time", at)
                .member("kind", "verdict")
                .member("from", from.text())
                .member("to", to.text())
                .member("action", action.text())
                .member("why", why));
  }

  @Override
  public void boot(Optional<Instant> at, String id) {
    json.object(
        line ->
            line.member("time", at)
                .member("kind", "boot")
                .member("boot_id", Optional.of(id).filter(known -> !known.isEmpty())));
  }

  @Override
  public void end(HealthReport last, Counts counts) {
    json.object(
        line ->
            line.member("kind", "end")
                .member("lines", counts.lines())
                .member("known_lines", counts.known())
                .member("kernel_messages", counts.kernel())
                .member("events", counts.events())
                .member("warning", counts.warning())
                .member("health", HealthJson.of(last)));
  }

  private static void fact(KernelFact fact, JsonWriter json) {
    if (fact instanceof KernelFact.Xid xid) {
      json.member("pci", xid.pci().toString())
          .member("gpu_instance", xid.gpuInstance())
          .member("compute_instance", xid.computeInstance())
          .member("xid", xid.number())
          .member("pid", xid.pid())
          .member("process", xid.process())
          .member("message", xid.message())
          .member("cause", xid.cause());
      detail(xid.detail(), json);
    } else if (fact instanceof KernelFact.SXid sxid) {
      json.member("pci", sxid.pci().toString())
          .member("device", sxid.device())
          .member("sxid", sxid.number())
          .member("fatal", sxid.fatal())
          .member("link", sxid.link())
          .member("message", sxid.message());
    } else if (fact instanceof KernelFact.OffBus offBus) {
      json.member("pci", offBus.pci().toString()).member("message", offBus.message());
    } else if (fact instanceof KernelFact.InitFailed failed) {
      json.member("pci", failed.pci().toString()).member("message", failed.message());
    } else if (fact instanceof KernelFact.GspErrorsSuppressed gsp) {
      json.member("pci", gsp.pci().toString()).member("message", gsp.message());
    } else if (fact instanceof KernelFact.NvlinkTrainingFailed links) {
      json.member("message", links.message());
    } else if (fact instanceof KernelFact.GpuAt gpu) {
      json.member("pci", gpu.pci().toString()).member("uuid", gpu.uuid());
    } else if (fact instanceof KernelFact.BoardSerial board) {
      json.member("serial", board.serial());
    } else if (fact instanceof KernelFact.DriverLoaded driver) {
      json.member("version", driver.version());
    }
  }

  private static void detail(XidDetail detail, JsonWriter json) {
    if (detail instanceof XidDetail.Containment containment) {
      Members flags =
          object ->
              object
                  .member("contained", containment.contained())
                  .member("reset", containment.reset())
                  .member("drain_and_reset", containment.drainAndReset());
      json.member("unit", containment.unit()).member("flags", flags);
    } else if (detail instanceof XidDetail.RecoveryChange change) {
      json.member("recovery", change);
    } else if (detail instanceof XidDetail.SmPlace place) {
      json.member("place", place);
    } else if (detail instanceof XidDetail.NvlinkRegisters registers) {
      json.member("link", registers.link())
          .member("registers", registers.registers().stream().map(ReplayJson::hex))
          .member("judgement", word(registers.judgement()));
    } else if (detail instanceof XidDetail.Nvlink5 nvlink) {
      json.member("unit", nvlink.unit())
          .member("fatal", nvlink.fatal())
          .member("link", nvlink.link())
          .member("subcode", nvlink.subcode())
          .member("state_reason", nvlink.stateReason())
          .member("intr_info", hex(nvlink.intrInfo()))
          .member("error_status", hex(nvlink.errorStatus()))
          .member("resolution", word(nvlink.resolution()))
          .member("otherwise", nvlink.otherwise().map(ReplayJson::word));
    } else if (detail instanceof XidDetail.Nvlink5Unreadable nvlink) {
      json.member("unit", nvlink.unit()).member("fatal", nvlink.fatal());
    }
  }

  private static String hex(long register) {
    return String.format(Locale.ROOT, "0x%08x", register);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

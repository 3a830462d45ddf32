package io.lapwing.linux;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Target;
import io.lapwing.xid.KernelFacts;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Records of /dev/kmsg, saved logs and single numbers of the kernel. */
public final class LinuxTargets {

  private static final Optional<Instant> BOOT = Optional.of(Instant.EPOCH);
  private static final KernelFacts FACTS = new KernelFacts(() -> Optional.of("580.95.05"));

  private LinuxTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("kmsg-record", LinuxTargets::record)
            .seeds(
                "4,1234,98765432101,-;NVRM: Xid (PCI:0000:53:00): 79, pid=1, name=\\x22x, GPU has"
                    + " fallen off the bus.\n SUBSYSTEM=pci\n DEVICE=+pci:0000:53:00.0\n",
                "12,1,1,c;from user space",
                "6,339,5140900,-,caller=T1;NET: Registered protocol family 10\n more\n"),
        Target.ofBytes("kernel-log", LinuxTargets::log)
            .seeds(
                "Feb 23 16:24:18 host kernel: [   12.345678] NVRM: Xid (PCI:0000:53:00): 79\n",
                "2025-02-23T16:24:18.123+00:00 host kernel: NVRM: Xid (PCI:0000:53:00): 48\n",
                "[   12.345678][ T1] NVRM: x\n[Sun Feb 23 16:24:18 2025] NVRM: y\n<3>[ 1.0] z\n",
                "kern  :err   : [   12.345678] NVRM: Xid (PCI:0000:53:00): 63, pid='<unknown>'\n",
                "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1740327858123456\n_TRANSPORT=kernel\n"
                    + "SYSLOG_FACILITY=0\nMESSAGE\n\u0005\u0000\u0000\u0000\u0000\u0000\u0000\u0000"
                    + "hello\n\nNVRM: bare\n",
                "4,1,98765432101,-;NVRM: a\n CONT\n{\"MESSAGE\":\"x\"}\n",
                "2025-02-23T16:24:18,123456+00:00 NVRM: a\n<3>1 2025-02-23T16:24:18Z h kernel - - - b\n",
                "[Feb23 16:24] NVRM: a\n[  +0.000012] NVRM: b\n[   12.3 <    0.0>] NVRM: c\n",
                "Sun 2025-02-23 16:24:18 CET h kernel: NVRM: a\n              NVRM: b\n-- Boot 9 --\n",
                "1740327858.123456 h kernel: NVRM: a#012NVRM: b\n[   12.345678] h kernel: c\n",
                "{\"__REALTIME_TIMESTAMP\":\"1740327858123456\",\"_TRANSPORT\":\"kernel\","
                    + "\"_BOOT_ID\":\"91e5da22438a3d879584c0c11f0a2df0\",\"MESSAGE\":[78,86]}\n",
                "{\"log\":\"NVRM: a\\n\",\"time\":\"2025-02-23T16:24:18.1Z\"}\n"),
        Target.ofBytes("unsigned-decimal", LinuxTargets::decimal)
            .seeds("0\n", "18446744073709551615\n", " 12 \n"));
  }

  private static void record(byte[] input) {
    KmsgRecord.parse(input)
        .flatMap(record -> record.ofKernel(BOOT))
        .ifPresent(message -> FACTS.read(message.text()));
  }

  private static void log(byte[] input) {
    LogDating dating = new LogDating(BOOT, Instant.parse("2026-11-21T00:00:00Z"), ZoneOffset.UTC);
    KernelLogText log = new KernelLogText(new ByteArrayInputStream(input), dating);
    long messages = 0;
    while (log.hasNext()) {
      if (log.next() instanceof KernelLogText.Entry.Message one) {
        FACTS.read(one.message().text());
        messages++;
      }
    }
    demand(messages == log.tally().records(), "a message was not counted");
    demand(messages <= log.tally().known(), "more messages than known lines");
    demand(log.tally().known() <= log.tally().lines(), "more known lines than lines");
  }

  private static void decimal(byte[] input) {
    KernelNumber.unsigned(input, input.length)
        .ifPresent(number -> demand(number >= 0 && number <= 0x1p64, "no number of 64 bits"));
  }
}

package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.xid.XidDetail;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class XidText {

  private static final int MOST = 160;

  private final XidRule.Words words;
  private final int number;
  private final Incident incident;

  /** Of the first of them. */
  private final XidDetail detail;

  XidText(XidRule.Words words, int number, Incident incident, XidDetail detail) {
    this.words = words;
    this.number = number;
    this.incident = incident;
    this.detail = detail;
  }

  String what() {
    return "XID " + number + ", " + words.name(number) + message() + process() + companions();
  }

  String why() {
    String why = words.why(number) + registers();
    return !incident.isRecurrence()
        ? why
        : "It came back"
            + (incident.returns() == 1 ? "" : " " + incident.returns() + " times")
            + " after the demanded action had been done. "
            + why;
  }

  private String registers() {
    if (detail instanceof XidDetail.Nvlink5 link && link.otherwise().isPresent()) {
      return " The driver version is unknown and its two register layouts differ: "
          + link.resolution()
          + ", the graver, is assumed instead of "
          + link.otherwise().get()
          + ".";
    }
    boolean undecoded =
        detail instanceof XidDetail.Nvlink5Unreadable unreadable
            ? unreadable.fatal()
            : detail instanceof XidDetail.Nvlink5 link
                && link.fatal()
                && link.resolution() == XidDetail.Nvlink5Resolution.UNKNOWN;
    return undecoded
        ? " Its registers are not in NVIDIA's table; the driver calls the error fatal."
        : "";
  }

  private String message() {
    Optional<String> text =
        incident.example().map(Event.Xid::message).filter(message -> !message.isBlank());
    return text.map(XidText::firstLine)
        .filter(line -> !line.isEmpty() && !line.equalsIgnoreCase(words.name(number)))
        .map(line -> ": " + line)
        .orElse("");
  }

  private static String firstLine(String message) {
    String line = message.lines().findFirst().orElse("").strip();
    String cut = line.length() > MOST ? line.substring(0, MOST) + "..." : line;
    return cut.endsWith(".") && !cut.endsWith("...") ? cut.substring(0, cut.length() - 1) : cut;
  }

  private String process() {
    String text =
        Stream.of(instances(), program())
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "" : " (" + text + ")";
  }

  /** {@code MIG instances 7 and 9}: those, and no other, are concerned. */
  private String instances() {
    if (incident.instances().isEmpty()) {
      return "";
    }
    List<String> ids = incident.instances().stream().map(String::valueOf).toList();
    int last = ids.size() - 1;
    String text =
        last == 0
            ? "MIG instance " + ids.get(0)
            : "MIG instances " + String.join(", ", ids.subList(0, last)) + " and " + ids.get(last);
    return incident.whole() ? text + " and the whole GPU" : text;
  }

  private String program() {
    Optional<Event.Xid> example = incident.example();
    if (example.isEmpty() || example.get().pid().isEmpty()) {
      return "";
    }
    String name = example.get().process().isEmpty() ? "" : " " + example.get().process();
    return "process" + name + ", pid " + example.get().pid().getAsLong();
  }

  private String companions() {
    return incident.companions().isEmpty()
        ? ""
        : incident.companions().stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", ", "; with XID ", ""));
  }

  List<String> sources() {
    return incident.origins().stream()
        .map(origin -> origin == Event.Origin.KERNEL ? "kernel log" : "NVML event")
        .toList();
  }
}

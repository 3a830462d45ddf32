package io.lapwing.agent.events;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes the members of an event. {@code text} stands there even if it is empty; {@code some} is
 * left out then. {@link EventReader} is the other direction.
 */
final class EventWriter {
  private final JsonGenerator json;

  EventWriter(JsonGenerator json) {
    this.json = json;
  }

  void members(Event event) throws IOException {
    if (event instanceof Event.Xid xid) {
      xid(xid);
    } else if (event instanceof Event.SXid fault) {
      sxid(fault);
    } else if (!ofTheNode(event) && !ofGpu(event) && !ofHealth(event)) {
      throw new IllegalStateException("nothing here writes a " + event.getClass().getSimpleName());
    }
  }

  private boolean ofTheNode(Event event) throws IOException {
    if (event instanceof Event.Started started) {
      begin("started", event);
      text("version", started.version());
    } else if (event instanceof Event.Booted booted) {
      begin("booted", event);
      text("bootId", booted.bootId());
      some("instanceId", booted.instanceId(), BoundedText.NAME);
    } else if (event instanceof Event.DriverLoaded loaded) {
      begin("driver_loaded", event);
      text("version", loaded.version());
    } else if (event instanceof Event.KernelLogRead read) {
      begin("kernel_log_read", event);
      json.writeNumberField("sequence", read.sequence());
      json.writeNumberField("lost", read.lost());
    } else {
      return false;
    }
    return true;
  }

  private void xid(Event.Xid xid) throws IOException {
    begin("xid", xid);
    some("gpu", xid.gpu(), BoundedText.NAME);
    some("pci", xid.pci(), BoundedText.NAME);
    some("gpuInstance", xid.gpuInstance());
    some("computeInstance", xid.computeInstance());
    json.writeNumberField("number", xid.number());
    some("pid", xid.pid());
    some("process", xid.process(), BoundedText.PROCESS);
    some("message", xid.message(), BoundedText.MESSAGE);
    some("cause", xid.cause());
    origins(xid.origins());
    json.writeNumberField("times", xid.times());
    some("sequence", xid.sequence());
  }

  private void sxid(Event.SXid fault) throws IOException {
    begin("sxid", fault);
    some("device", fault.device(), BoundedText.NAME);
    some("pci", fault.pci(), BoundedText.NAME);
    json.writeNumberField("number", fault.number());
    json.writeBooleanField("fatal", fault.fatal());
    some("link", fault.link());
    some("message", fault.message(), BoundedText.MESSAGE);
    json.writeNumberField("times", fault.times());
    some("sequence", fault.sequence());
  }

  private boolean ofGpu(Event event) throws IOException {
    if (event instanceof Event.EccGrowth growth) {
      begin("ecc_growth", event);
      json.writeStringField("since", growth.since().toString());
      text("gpu", growth.gpu());
      json.writeBooleanField("corrected", growth.corrected());
      json.writeNumberField("from", growth.from());
      json.writeNumberField("to", growth.to());
    } else if (event instanceof Event.RowsRemapped rows) {
      begin("rows_remapped", event);
      text("gpu", rows.gpu());
      json.writeNumberField("correctable", rows.correctable());
      json.writeNumberField("uncorrectable", rows.uncorrectable());
    } else if (event instanceof Event.GpuLost lost) {
      begin("gpu_lost", event);
      text("gpu", lost.gpu());
      some("reason", lost.reason(), BoundedText.MESSAGE);
    } else if (event instanceof Event.GpuReturned returned) {
      begin("gpu_returned", event);
      text("gpu", returned.gpu());
    } else if (event instanceof Event.GpuReset reset) {
      begin("gpu_reset", event);
      text("gpu", reset.gpu());
      some("sign", reset.sign(), BoundedText.MESSAGE);
    } else if (event instanceof Event.GpuSeen seen) {
      begin("gpu_seen", event);
      text("gpu", seen.gpu());
      json.writeNumberField("energy", seen.energy());
    } else if (event instanceof Event.ApplicationEnded ended) {
      begin("application_ended", event);
      text("gpu", ended.gpu());
      some("pid", ended.pid());
    } else {
      return false;
    }
    return true;
  }

  private boolean ofHealth(Event event) throws IOException {
    if (event instanceof Event.FindingOpened opened) {
      begin("finding_opened", event);
      if (!opened.since().equals(opened.at())) {
        json.writeStringField("since", opened.since().toString());
      }
      text("rule", opened.rule());
      text("subject", opened.subject());
      text("severity", opened.severity());
      text("action", opened.action());
      some("what", opened.what(), BoundedText.MESSAGE);
    } else if (event instanceof Event.FindingClosed closed) {
      begin("finding_closed", event);
      text("rule", closed.rule());
      text("subject", closed.subject());
      some("why", closed.why(), BoundedText.MESSAGE);
    } else if (event instanceof Event.VerdictChanged changed) {
      begin("verdict_changed", event);
      text("subject", changed.subject());
      text("from", changed.from());
      text("to", changed.to());
      some("action", changed.action(), BoundedText.NAME);
    } else if (event instanceof Event.OperatorCleared cleared) {
      begin("operator_cleared", event);
      some("rule", cleared.rule(), BoundedText.NAME);
      some("subject", cleared.subject(), BoundedText.NAME);
      some("note", cleared.note(), BoundedText.MESSAGE);
    } else {
      return false;
    }
    return true;
  }

  private void begin(String kind, Event event) throws IOException {
    json.writeStringField("kind", kind);
    json.writeStringField("at", event.at().toString());
  }

  private void text(String name, String value) throws IOException {
    json.writeStringField(name, BoundedText.of(value, BoundedText.NAME));
  }

  private void some(String name, String value, int most) throws IOException {
    if (!value.isEmpty()) {
      json.writeStringField(name, BoundedText.of(value, most));
    }
  }

  private void some(String name, OptionalInt value) throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(name, value.getAsInt());
    }
  }

  private void some(String name, OptionalLong value) throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(name, value.getAsLong());
    }
  }

  private void origins(Set<Event.Origin> origins) throws IOException {
    if (origins.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("origins");
    for (Event.Origin origin : Event.Origin.values()) {
      if (origins.contains(origin)) {
        json.writeString(origin.name().toLowerCase(Locale.ROOT));
      }
    }
    json.writeEndArray();
  }
}

package io.lapwing.agent.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.XidDetail;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The JSON members of a kernel log fact. */
record FactJson(JsonGenerator json) {

  void write(KernelFact fact) throws IOException {
    if (fact instanceof KernelFact.Xid xid) {
      xid(xid);
    } else if (fact instanceof KernelFact.SXid sxid) {
      sxid(sxid);
    } else if (fact instanceof KernelFact.OffBus offBus) {
      json.writeStringField("pci", offBus.pci().toString());
      json.writeStringField("message", offBus.message());
    } else if (fact instanceof KernelFact.GpuAt gpu) {
      json.writeStringField("pci", gpu.pci().toString());
      json.writeStringField("uuid", gpu.uuid());
    } else if (fact instanceof KernelFact.BoardSerial board) {
      json.writeStringField("serial", board.serial());
    } else if (fact instanceof KernelFact.DriverLoaded driver) {
      json.writeStringField("version", driver.version());
    }
  }

  private void xid(KernelFact.Xid xid) throws IOException {
    json.writeStringField("pci", xid.pci().toString());
    number("gpu_instance", xid.gpuInstance());
    number("compute_instance", xid.computeInstance());
    json.writeNumberField("xid", xid.number());
    number("pid", xid.pid());
    json.writeStringField("process", xid.process().orElse(null));
    json.writeStringField("message", xid.message());
    number("cause", xid.cause());
    detail(xid.detail());
  }

  private void sxid(KernelFact.SXid sxid) throws IOException {
    json.writeStringField("pci", sxid.pci().toString());
    json.writeStringField("device", sxid.device());
    json.writeNumberField("sxid", sxid.number());
    flag("fatal", sxid.fatal());
    number("link", sxid.link());
    json.writeStringField("message", sxid.message());
  }

  private void detail(XidDetail detail) throws IOException {
    if (detail instanceof XidDetail.Containment containment) {
      json.writeStringField("unit", containment.unit());
      json.writeObjectFieldStart("flags");
      json.writeBooleanField("contained", containment.contained());
      flag("reset", containment.reset());
      flag("drain_and_reset", containment.drainAndReset());
      json.writeEndObject();
    } else if (detail instanceof XidDetail.RecoveryChange change) {
      json.writeObjectFieldStart("recovery");
      json.writeNumberField("from", change.from());
      json.writeNumberField("to", change.to());
      json.writeStringField("text", change.text());
      json.writeEndObject();
    } else if (detail instanceof XidDetail.SmPlace place) {
      json.writeObjectFieldStart("place");
      json.writeNumberField("gpc", place.gpc());
      json.writeNumberField("tpc", place.tpc());
      json.writeNumberField("sm", place.sm());
      json.writeEndObject();
    } else if (detail instanceof XidDetail.NvlinkRegisters registers) {
      registers(registers);
    } else if (detail instanceof XidDetail.Nvlink5 nvlink) {
      nvlink5(nvlink);
    }
  }

  private void registers(XidDetail.NvlinkRegisters registers) throws IOException {
    json.writeNumberField("link", registers.link());
    json.writeArrayFieldStart("registers");
    for (long register : registers.registers()) {
      json.writeString(hex(register));
    }
    json.writeEndArray();
    json.writeStringField("judgement", word(registers.judgement()));
  }

  private void nvlink5(XidDetail.Nvlink5 nvlink) throws IOException {
    json.writeStringField("unit", nvlink.unit());
    json.writeBooleanField("fatal", nvlink.fatal());
    number("link", nvlink.link());
    number("subcode", nvlink.subcode());
    json.writeNumberField("state_reason", nvlink.stateReason());
    json.writeStringField("intr_info", hex(nvlink.intrInfo()));
    json.writeStringField("error_status", hex(nvlink.errorStatus()));
    json.writeStringField("resolution", word(nvlink.resolution()));
  }

  private static String hex(long register) {
    return String.format(Locale.ROOT, "0x%08x", register);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private void number(String name, OptionalInt maybe) throws IOException {
    number(name, maybe.isPresent() ? OptionalLong.of(maybe.getAsInt()) : OptionalLong.empty());
  }

  private void number(String name, OptionalLong maybe) throws IOException {
    json.writeFieldName(name);
    if (maybe.isPresent()) {
      json.writeNumber(maybe.getAsLong());
    } else {
      json.writeNull();
    }
  }

  private void flag(String name, Optional<Boolean> maybe) throws IOException {
    json.writeFieldName(name);
    if (maybe.isPresent()) {
      json.writeBoolean(maybe.get());
    } else {
      json.writeNull();
    }
  }
}

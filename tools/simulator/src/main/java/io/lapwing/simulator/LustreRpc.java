package io.lapwing.simulator;

import java.util.List;

/** Requests of a client to its targets: rate at full load, and service time. */
enum LustreRpc {
  OST_READ("ost_read", 238, 1100),
  OST_WRITE("ost_write", 60, 900),
  LDLM_EXTENT_ENQUEUE("ldlm_extent_enqueue", 2, 320),
  MDS_GETATTR("mds_getattr", 60, 210),
  MDS_CLOSE("mds_close", 25, 290),
  MDS_REINT_SETATTR("mds_reint_setattr", 3, 520),
  LDLM_IBITS_ENQUEUE("ldlm_ibits_enqueue", 95, 410),
  LDLM_CANCEL("ldlm_cancel", 1, 260),
  /** Every 25 seconds, even when idle. */
  OBD_PING("obd_ping", 0.04, 150);

  private static final List<LustreRpc> OF_OST =
      List.of(OST_READ, OST_WRITE, LDLM_EXTENT_ENQUEUE, LDLM_CANCEL, OBD_PING);
  private static final List<LustreRpc> OF_MDT =
      List.of(MDS_GETATTR, MDS_CLOSE, MDS_REINT_SETATTR, LDLM_IBITS_ENQUEUE, LDLM_CANCEL, OBD_PING);

  private final String opcode;
  private final double perSecond;
  private final double micros;

  LustreRpc(String opcode, double perSecond, double micros) {
    this.opcode = opcode;
    this.perSecond = perSecond;
    this.micros = micros;
  }

  static List<LustreRpc> of(boolean ost) {
    return ost ? OF_OST : OF_MDT;
  }

  String opcode() {
    return opcode;
  }

  double micros() {
    return micros;
  }

  /** Requests per second under a load from 0 to 1. */
  double perSecond(double load) {
    return this == OBD_PING ? perSecond : perSecond * load;
  }

  /** Average number in flight. */
  static double inFlight(boolean ost, double load, double slower) {
    return of(ost).stream()
        .mapToDouble(rpc -> rpc.perSecond(load) * rpc.micros * slower / 1e6)
        .sum();
  }
}

package io.lapwing.drain.intake;

import java.util.Locale;

/** What became of a message, or of an alert in it. The words are label values of metrics. */
public enum Result {
  /** The controller has the request. */
  TAKEN(200),
  /** A test finding: nothing is done. */
  TRIAL(200),
  /** Known already. */
  DUPLICATE(200),
  /** The alert has resolved, which ends nothing. */
  RESOLVED(200),
  /** Its action needs no node. */
  MILD(200),
  /** NVML could have confirmed the finding and did not. */
  UNCONFIRMED(200),
  /** Of a cluster that this controller does not serve. */
  OTHER_CLUSTER(200),
  /** The controller does not act on it. */
  DECLINED(200),
  /** The message lacks alerts: nothing is known of these. */
  REST_UNKNOWN(200),
  /** A subscription to a topic began or ended. */
  SUBSCRIPTION(200),

  /** Not JSON, or a field is missing or wrong. */
  MALFORMED(400),
  /** A version of the message that is not supported. */
  WRONG_VERSION(400),
  /** More bytes or alerts than are accepted. */
  TOO_LARGE(413),
  /** Cut off by its carrier. */
  TRUNCATED(422),
  /** The scheduler has no such node. */
  UNKNOWN_NODE(422),
  /** Older than what may be acted on, or of the future. */
  TOO_OLD(422),
  /** Not from an accepted sender, or changed on its way. */
  NOT_AUTHENTIC(403),
  /** Its handling failed repeatedly. */
  POISON(422),

  /** The journal cannot be written. */
  NOT_WRITTEN(503),
  /** The nodes of the cluster are not known yet. */
  NODES_UNKNOWN(503),
  /** The sender's certificate or confirmation cannot be fetched. */
  UNREACHABLE(503);

  private final int status;

  Result(int status) {
    this.status = status;
  }

  /** As the answer of an HTTP server. */
  public int status() {
    return status;
  }

  /** Whether the same message may fare better later. */
  public boolean later() {
    return status >= 500;
  }

  /** Whether it can never be handled. */
  public boolean refused() {
    return status >= 400 && status < 500;
  }

  /** As a label value: {@code unknown_node}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

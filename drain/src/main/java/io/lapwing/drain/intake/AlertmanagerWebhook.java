package io.lapwing.drain.intake;

import io.lapwing.drain.intake.AlertMessage.Format;
import io.lapwing.drain.intake.Json.Unusable;
import java.time.Instant;

/** The receiver of Alertmanager's {@code webhook_configs}, version 4 of the message. */
public final class AlertmanagerWebhook {

  /** An alert of the shipped rules has 2 to 4 KiB. */
  public static final int MOST_BYTES = 1 << 20;

  private final AlertIntake alerts;

  public AlertmanagerWebhook(AlertIntake alerts) {
    this.alerts = alerts;
  }

  /** Handles a POST. */
  public Reply answer(byte[] body, Instant now) {
    return take(body, now).reply();
  }

  Intake take(byte[] body, Instant now) {
    try {
      if (body.length > MOST_BYTES) {
        throw new Unusable(Result.TOO_LARGE, "message: more than " + MOST_BYTES + " bytes");
      }
      return alerts.take(AlertMessage.read(body, Format.WEBHOOK), Channel.ALERTMANAGER, now);
    } catch (Unusable e) {
      return alerts.report(Channel.ALERTMANAGER, e.intake());
    }
  }
}

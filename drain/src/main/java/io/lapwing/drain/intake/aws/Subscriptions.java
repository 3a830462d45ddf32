package io.lapwing.drain.intake.aws;

import java.io.IOException;
import java.net.URI;

/** Confirms subscriptions to topics. */
@FunctionalInterface
public interface Subscriptions {

  /**
   * Visits the address, which is known to be one of SNS.
   *
   * @throws IOException if the confirmation failed; SNS asks again
   */
  void confirm(URI subscribeUrl) throws IOException;
}

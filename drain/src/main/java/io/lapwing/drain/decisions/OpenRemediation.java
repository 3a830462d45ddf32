package io.lapwing.drain.decisions;

import io.lapwing.drain.remediation.ControllerState;
import io.lapwing.drain.remediation.Remediation;
import java.util.Optional;

/**
 * A remediation that is not over.
 *
 * @param waitsFor in words; empty if the next round carries it on
 * @param person whether a person has to act
 */
public record OpenRemediation(Remediation remediation, Optional<String> waitsFor, boolean person) {

  static OpenRemediation of(Remediation remediation, ControllerState state) {
    var waiting = Optional.ofNullable(state.waiting().get(remediation.node()));
    return new OpenRemediation(
        remediation,
        waiting.map(one -> one.why()),
        waiting.filter(one -> one.person()).isPresent());
  }
}

package io.lapwing.drain.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeState.Service;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeStateTest {

  private static final String REASON = "lapwing-drain 1798854460-8";

  private static NodeState node(Service service, String reason) {
    return new NodeState(
        new NodeName("p5-1"), service, reason, "", Set.of(), true, "", Optional.empty(), 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " : reboot issued", " : reboot issued : reboot complete"})
  void whatASchedulerAddsLeavesANodeOurs(String added) {
    NodeState node = node(Service.DRAINED, REASON + added);

    assertThat(node.heldFor(REASON)).isTrue();
    assertThat(node.isOurs()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {" keep it down, ada", ": keep it down", "0", " :keep"})
  void whatAPersonAddsMakesANodeHis(String added) {
    NodeState node = node(Service.DRAINED, REASON + added);

    assertThat(node.heldFor(REASON)).isFalse();
    assertThat(node.heldByOthers(REASON)).isTrue();
  }

  @Test
  void aNodeInServiceIsNobodysWhateverReasonIsLeft() {
    NodeState node = node(Service.IN_SERVICE, REASON);

    assertThat(node.heldFor(REASON)).isFalse();
    assertThat(node.isOurs()).isFalse();
    assertThat(node.heldByOthers("other")).isFalse();
  }

  @Test
  void aPersonsReasonThatNamesTheControllerIsNotOurs() {
    assertThat(node(Service.DRAINED, "lapwing-drain is broken").isOurs()).isFalse();
  }
}

package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.actions.NodeCommands;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.node.Platform;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommandsTextTest {

  @Test
  void aNodeToReplaceHasTheThreeStepsOfIt() {
    NodeCommands commands =
        NodeCommands.of(
            MadeReports.on("gpu-7", "i-0123456789abcdef0", Platform.SLURM), Optional.empty());

    assertThat(CommandsText.of(commands, false))
        .startsWith("\nCommands for Slurm on EC2 (the test says so)\n\nDrain the node\n")
        .contains(
            "   # Running jobs go on; no new ones start.\n",
            "   scontrol update nodename=gpu-7 state=drain reason='xid_79 on GPU 3'\n",
            "\nReplace the node\n",
            "   aws ec2 stop-instances --instance-ids i-0123456789abcdef0\n",
            "\nReturn the node to service\n",
            "   scontrol update nodename=gpu-7 state=resume\n")
        .doesNotContain("Reset a GPU", "Reboot", "capital letters", "simulated");
  }

  @Test
  void whatIsUnknownIsNamed() {
    NodeCommands commands =
        NodeCommands.of(MadeReports.on("gpu-7", "", Platform.HYPERPOD_EKS), Optional.empty());

    assertThat(CommandsText.of(commands, true))
        .contains(
            "The node is simulated: these are examples.\n",
            "Replace the words in capital letters.\n",
            "   aws sagemaker batch-replace-cluster-nodes --cluster-name CLUSTER --node-ids INSTANCE_ID\n");
  }

  @Test
  void aHealthyNodeHasAllSteps() {
    NodeCommands commands = NodeCommands.of(MadeReports.healthy(), Optional.of(Platform.KARPENTER));

    assertThat(CommandsText.of(commands, false))
        .startsWith(
            "\nCommands for Karpenter on EKS (as requested)\nNo finding asks for one of them now.\n")
        .contains("Drain the node", "Reset a GPU", "Reboot the node", "Replace the node");
  }

  @Test
  void withoutAPlatformThereAreChoicesAndNoCommands() {
    NodeCommands commands = NodeCommands.of(MadeReports.failing(), Optional.empty());

    assertThat(CommandsText.of(commands, false).replaceAll("\\s+", " "))
        .contains(
            "unknown platform (not detected)",
            "--platform",
            "--node.platform",
            "slurm, parallelcluster, pcs, hyperpod-slurm, hyperpod-eks, eks-node-group, karpenter")
        .doesNotContain("kubectl", "scontrol");
  }
}

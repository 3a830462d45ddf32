package io.lapwing.drain.slurm;

import io.lapwing.common.log.Log;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of {@code topology/block} (Slurm 23.11 and newer), which sites define as the NVLink
 * domains of their nodes. A line of {@code scontrol show topology}:
 *
 * <pre>
 * BlockName=rack1 BlockIndex=0 Nodes=gb200-[01-18] BlockSize=18
 * </pre>
 *
 * A Slurm with another topology, or an older one, has none. Blocks change only when Slurm is
 * reconfigured, so that they are read each ten minutes.
 */
public final class SlurmBlocks implements NvlinkDomains {

  private static final Log LOG = Log.of(SlurmBlocks.class);
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Pattern BLOCK =
      Pattern.compile("BlockName=(\\S+)(?: +BlockIndex=\\S+)?(?: +Nodes=(\\S+))?.*");

  private final SlurmCommands slurm;
  private final Clock clock;
  private Optional<Map<NodeName, String>> known = Optional.empty();
  private Instant read = Instant.MIN;

  public SlurmBlocks(SlurmCommands slurm, Clock clock) {
    this.slurm = slurm;
    this.clock = clock;
  }

  /** The last result counts while Slurm gives no answer, or an unreadable one. */
  @Override
  public Map<NodeName, String> of(Collection<SlurmNode> nodes) throws UnreadableAnswer {
    Instant now = clock.instant();
    if (known.isEmpty() || now.isAfter(read.plus(FRESH)) || now.isBefore(read)) {
      Outcome answer = slurm.tell(List.of("show", "topology"));
      if (answer instanceof Exited exited && exited.code() == 0) {
        known = Optional.of(parsed(exited.output()));
      } else if (known.isEmpty() && !SlurmCommands.saysNo(answer)) {
        throw new UnreadableAnswer(
            "the blocks of Slurm's topology are not known: scontrol "
                + SlurmCommands.words(answer));
      } else if (known.isEmpty()) {
        known = Optional.of(Map.of()); // It has no topology.
      }
      read = now;
    }
    return known.orElse(Map.of());
  }

  private Map<NodeName, String> parsed(String answer) throws UnreadableAnswer {
    try {
      return parse(answer);
    } catch (UnreadableAnswer unreadable) {
      if (known.isEmpty()) {
        throw unreadable;
      }
      LOG.warn("the blocks of Slurm's topology stay as they were", "reason", unreadable.why());
      return known.get();
    }
  }

  /** A node in several blocks is in the first. */
  static Map<NodeName, String> parse(String answer) throws UnreadableAnswer {
    Map<NodeName, String> blocks = new HashMap<>();
    for (String line : answer.split("\n", -1)) {
      Matcher block = BLOCK.matcher(line);
      if (block.matches() && block.group(2) != null) {
        for (NodeName node : HostList.expand(block.group(2))) {
          blocks.putIfAbsent(node, block.group(1));
        }
      }
    }
    return blocks;
  }
}

package io.lapwing.nccl;

import io.lapwing.json.JsonCursor;
import io.lapwing.json.NotJson;
import io.lapwing.nccl.RasReply.Communicator;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads communicators one by one and drops those without a rank on this node. */
final class CommunicatorReader {

  /** Far more than a node has GPUs. */
  static final int MAX_LOCAL = 256;

  private static final Pattern HASH = Pattern.compile("(?:0[xX])?([0-9a-fA-F]{1,16})");
  private static final Pattern SECONDARY = Pattern.compile("[0-9a-fA-FxX:]{0,64}");

  private final JsonCursor json;
  private final RankReader ranks;
  private String hash = "";
  private String secondary = "";
  private int size;
  private int answered;
  private int missing;
  private int missingHere;
  private int unresponsive;
  private int dead;
  private int inError;
  private CollectiveCounts highest = new CollectiveCounts();
  private List<Communicator.Rank> local = new ArrayList<>();
  private final Set<Integer> localRanks = new HashSet<>();
  private int withoutProcess;

  CommunicatorReader(JsonCursor json, LocalProcesses processes) {
    this.json = json;
    this.ranks = new RankReader(json, processes);
  }

  /** The next one; empty if none of its ranks is on this node. */
  Optional<Communicator> read() throws IOException {
    hash = "";
    secondary = "";
    size = 0;
    answered = 0;
    missing = 0;
    missingHere = 0;
    unresponsive = 0;
    dead = 0;
    inError = 0;
    highest = new CollectiveCounts();
    local = new ArrayList<>();
    localRanks.clear();
    json.object(this::field);
    json.expect(!hash.isEmpty(), "a communicator without its hash");
    return local.isEmpty() && missingHere == 0
        ? Optional.empty()
        : Optional.of(
            new Communicator(
                new Communicator.Id(hash, secondary),
                Math.max(size, answered + missing),
                answered,
                missing,
                missingHere,
                unresponsive,
                dead,
                inError,
                highest,
                local));
  }

  /** Number of ranks of this node without a visible process, in all that was read. */
  int withoutProcess() {
    return withoutProcess;
  }

  private void field(String name) throws IOException {
    switch (name) {
      case "hash" -> hash = hash(json.text());
      case "secondary_hash" -> secondary = secondary(json.text());
      case "size" -> size = json.integer().orElse(0);
      case "ranks" -> json.array(this::rank);
      case "missing_ranks" -> json.array(this::missingRank);
      default -> json.skip();
    }
  }

  /** Zero-padded, as in NCCL's log; the reply omits leading zeros. */
  private String hash(String text) throws NotJson {
    Matcher form = HASH.matcher(text);
    json.expect(form.matches(), "not a hash");
    String digits = new BigInteger(form.group(1), 16).toString(16);
    return "0".repeat(16 - digits.length()) + digits;
  }

  private String secondary(String text) throws NotJson {
    json.expect(SECONDARY.matcher(text).matches(), "not a secondary hash");
    return text;
  }

  private void rank() throws IOException {
    ranks.read();
    answered++;
    highest.raiseTo(ranks.counts());
    if (ranks.isInError()) {
      inError++;
    }
    if (ranks.isHere()) {
      Optional<Communicator.Rank> here = ranks.local();
      if (here.isEmpty()) {
        withoutProcess++;
      } else if (local.size() < MAX_LOCAL && localRanks.add(here.get().rank())) {
        local.add(here.get());
      }
    }
  }

  private void missingRank() throws IOException {
    ranks.read();
    missing++;
    if (ranks.isHere()) {
      missingHere++;
    }
    if (ranks.isUnresponsive()) {
      unresponsive++;
    }
    if (ranks.isDead()) {
      dead++;
    }
  }
}

package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Tone;
import java.util.List;

/** The keys. */
final class HelpLines {

  static final List<Line> ALL =
      """
      Keys
        q, Ctrl-C          quit
        h, ?               this help
        arrows, PgUp/PgDn  scroll; Home: back to the top
        Tab                the next section in full; 0, Esc: all sections
        1 2 3 4 5          GPUs, EFA, Lustre, training ranks, findings
        s                  order of the GPUs: index, util, memory, power, temp
        p, space           pause
        +, -               poll less or more often
        /                  only GPUs and ranks of a job or user; Enter keeps it, Esc removes it

      SM% is the share of time in which SMs were active, UTIL% that in
      which any kernel ran. OWN WORK% and WAITS% are shares of a rank's step time.
      A dash is a value that the node does not have.
      """
          .lines()
          .map(line -> Line.of(line.equals("Keys") ? Tone.TITLE : Tone.PLAIN, line))
          .toList();

  private HelpLines() {}
}

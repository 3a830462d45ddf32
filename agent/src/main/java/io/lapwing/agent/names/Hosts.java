package io.lapwing.agent.names;

import io.lapwing.agent.names.Scopes.Range;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whose label of the host the expressions of a file name, with the series that it records. */
final class Hosts {

  private static final Pattern RECORD =
      Pattern.compile(
          "(?m)(?:^[ ]*+(?:-[ ]++)*+|[{,][ ]*+)record[ ]*+:[ ]++[\"']?([A-Za-z_:][\\w:]*+)");

  private static final String DCGM = "DCGM_";

  private final Scopes scopes;
  private final Map<Passage, Tokens> tokens = new LinkedHashMap<>();
  private final Map<String, Host> recorded = new HashMap<>();

  Hosts(String file, Passages passages, Pattern ownLabel) {
    this.scopes = new Scopes(file, passages);
    scopes
        .expressions(new Range(0, file.length() + 1))
        .forEach(passage -> tokens.put(passage, new Tokens(passage.text())));
    RECORD.matcher(file).results().forEach(rule -> recorded.put(rule.group(1), Host.NONE));
    boolean more = true;
    while (more) {
      more = false;
      Matcher rule = RECORD.matcher(file);
      while (rule.find()) {
        more |= record(rule.group(1), scopes.around(rule.start(1)), file, ownLabel);
      }
    }
    recorded.replaceAll((name, host) -> host == Host.NONE ? Host.OF_OTHERS : host);
  }

  /** Returns whether it learns something of the name. */
  private boolean record(String name, Range rule, String file, Pattern ownLabel) {
    boolean own =
        scopes.expressions(rule).stream().allMatch(this::readsNothing)
            || ownLabel.matcher(file.substring(rule.from(), rule.to())).find();
    Host known = recorded.getOrDefault(name, Host.NONE);
    Host all = known.and(own ? Host.OF_OTHERS : of(rule));
    recorded.put(name, all);
    return all != known;
  }

  private boolean readsNothing(Passage expression) {
    return tokens.getOrDefault(expression, new Tokens("")).series().findFirst().isEmpty();
  }

  private Host of(Range range) {
    return scopes.expressions(range).stream()
        .map(passage -> of(tokens.getOrDefault(passage, new Tokens(""))))
        .reduce(Host.NONE, Host::and);
  }

  /** Of the expressions that belong to a place. */
  Host around(int place) {
    return of(scopes.around(place));
  }

  Host ofFile() {
    return tokens.values().stream().map(this::of).reduce(Host.NONE, Host::and);
  }

  Host of(Tokens expression) {
    return expression.series().map(this::of).reduce(Host.NONE, Host::and);
  }

  /** Of the series of a name; empty: it is not known. */
  Host of(String series) {
    if (series.startsWith(DCGM)) {
      return Host.OF_DCGM;
    }
    Host host = recorded.get(series);
    if (host != null) {
      return host;
    }
    return series.isEmpty() || series.contains(":") ? Host.DOUBTFUL : Host.OF_OTHERS;
  }
}

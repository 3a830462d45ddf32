package io.lapwing.agent.names;

import io.lapwing.agent.names.Scopes.Range;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
    List<Rule> rules =
        RECORD
            .matcher(file)
            .results()
            .map(match -> rule(match.group(1), scopes.around(match.start(1)), file, ownLabel))
            .toList();
    rules.forEach(rule -> recorded.put(rule.name(), Host.NONE));
    boolean more = true;
    while (more) {
      more = false;
      for (Rule rule : rules) {
        more |= learns(rule);
      }
    }
    recorded.replaceAll((name, host) -> host == Host.NONE ? Host.OF_OTHERS : host);
  }

  /**
   * A recording rule.
   *
   * @param own whether its label of the host is not that of what it reads
   */
  private record Rule(String name, boolean own, Set<String> series) {}

  private Rule rule(String name, Range range, String file, Pattern ownLabel) {
    List<Passage> expressions = scopes.expressions(range);
    boolean own =
        expressions.stream().allMatch(this::readsNothing)
            || ownLabel.matcher(file.substring(range.from(), range.to())).find();
    return new Rule(
        name,
        own,
        expressions.stream().flatMap(at -> read(at).series()).collect(Collectors.toSet()));
  }

  /** Returns whether it learns something of the name. */
  private boolean learns(Rule rule) {
    Host known = recorded.getOrDefault(rule.name(), Host.NONE);
    Host read =
        rule.own()
            ? Host.OF_OTHERS
            : rule.series().stream().map(this::of).reduce(Host.NONE, Host::and);
    Host all = known.and(read);
    recorded.put(rule.name(), all);
    return all != known;
  }

  private Tokens read(Passage expression) {
    return tokens.getOrDefault(expression, new Tokens(""));
  }

  private boolean readsNothing(Passage expression) {
    return read(expression).series().findFirst().isEmpty();
  }

  private Host of(Range range) {
    return scopes.expressions(range).stream()
        .map(passage -> of(read(passage)))
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

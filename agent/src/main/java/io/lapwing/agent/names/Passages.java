package io.lapwing.agent.names;

import io.lapwing.agent.names.Passage.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The passages of a dashboard (JSON) or of a rule file (YAML). A YAML parser keeps no places within
 * values, and a rewritten file loses its comments; so the values of a few keys are found by their
 * indentation.
 */
final class Passages {

  private static final Set<String> EXPRESSIONS = Set.of("expr", "query", "definition");
  private static final Set<String> PATTERNS = Set.of("regex");

  /** Keys of Grafana whose value may be the name of a label: of a join, of a filter. */
  private static final Set<String> LABELS = Set.of("byField", "key");

  /** The values of a custom variable of Grafana, which has them in {@code query}, too. */
  private static final Pattern LIST = Pattern.compile("[^(){}\\[\\]]*,[^(){}\\[\\]]*");

  /** The value of a variable for a data source of Grafana. */
  private static final Pattern DATA_SOURCE = Pattern.compile("\"[a-z]+\"");

  /** Templates of Helm or Jinja before the file itself. */
  private static final Pattern TEMPLATES =
      Pattern.compile("(?s)(?:\\s++|\\{\\{.*?\\}\\}|\\{%.*?%\\}|\\{#.*?#\\})*+");

  /** A block of a mapping that is a dashboard, as in a ConfigMap. */
  private static final Pattern JSON_BLOCK =
      Pattern.compile(
          "(?m)^(?<indent>[ ]*+)(?!(?:expr|query|regex)[ ]*+:)[^\\s:#][^\\n:]*+:[ ]*+[|>][-+0-9]*+[ ]*+(?<end>\\n)"
              + "\\s*+(?=\\{\\s*+\")");

  private static final String STRING = "\"(?:[^\"\\\\]|\\\\[\\s\\S])*+\"|'(?:[^']|'')*+'(?!')";
  private static final Pattern JSON_STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"(\\s*+:)?");

  /** A key of a block mapping or of a flow mapping. */
  private static final Pattern YAML_KEY =
      Pattern.compile(
          "(?m)(?:^(?<indent>[ ]*+(?:-[ ]++)*+)|[{,][ ]*+)(?<key>expr|query|regex)[ ]*+:(?=\\s)[ ]*+");

  /** In a flow mapping, where the signs of a mapping or list end it. */
  private static final Pattern FLOW_SCALAR =
      Pattern.compile("(?:[^\\s,\\[\\]{}&*!|>%@`#\"'-]|-(?=\\S))[^,\\[\\]{}#\\n]*+(?=[,}\\]])");

  private static final Pattern QUOTED = Pattern.compile(STRING);
  private static final Pattern BLOCK =
      Pattern.compile("[|>][-+0-9]*+[ ]*+(?:#.*+)?+$", Pattern.MULTILINE);

  private final String file;
  private final List<Passage> found = new ArrayList<>();
  private final List<Scopes.Range> json = new ArrayList<>();
  private int done;

  private Passages(String file) {
    this.file = file;
  }

  static Passages of(String file) {
    Passages passages = new Passages(file);
    Matcher templates = TEMPLATES.matcher(file);
    int start = templates.lookingAt() ? templates.end() : 0;
    if (file.startsWith("{", start) || file.startsWith("[", start)) {
      passages.json(0, file.length());
    } else {
      passages.yaml();
    }
    return passages;
  }

  List<Passage> all() {
    return List.copyOf(found);
  }

  boolean isYaml(Passage passage) {
    return json.stream().noneMatch(range -> range.contains(passage.place(0)));
  }

  /** The parts of the file that are JSON. */
  List<Scopes.Range> json() {
    return List.copyOf(json);
  }

  private void json(int from, int to) {
    json.add(new Scopes.Range(from, to));
    Matcher string = JSON_STRING.matcher(file).region(from, to);
    String key = "";
    while (string.find()) {
      if (string.group(1) != null) {
        int end = string.start() + string.group().lastIndexOf('"');
        key = file.substring(string.start() + 1, end);
      } else {
        boolean list = EXPRESSIONS.contains(key) && LIST.matcher(string.group()).matches();
        boolean source = key.equals("query") && DATA_SOURCE.matcher(string.group()).matches();
        found.add(
            Passage.quoted(
                list ? Kind.LABEL : source ? Kind.OTHER : kind(key),
                file,
                string.start(),
                string.end()));
      }
    }
  }

  private static Kind kind(String key) {
    if (EXPRESSIONS.contains(key)) {
      return Kind.EXPRESSION;
    }
    if (PATTERNS.contains(key)) {
      return Kind.PATTERN;
    }
    return LABELS.contains(key) ? Kind.LABEL : Kind.OTHER;
  }

  private void yaml() {
    Matcher block = JSON_BLOCK.matcher(file);
    int from = 0;
    while (block.find(from)) {
      keys(from, block.start());
      other(block.end());
      int end = endOfLines(block.start("end"), block.group("indent").length());
      json(block.end(), end);
      done = end;
      from = end;
    }
    keys(from, file.length());
    other(file.length());
  }

  private void keys(int begin, int end) {
    Matcher key = YAML_KEY.matcher(file);
    int from = begin;
    while (key.find(from) && key.start() < end) {
      from = key.end();
      String indent = key.group("indent");
      if (lineStart(key.start()) || indent == null) {
        value(kind(key.group("key")), key.end(), indent == null ? -1 : indent.length());
        from = Math.max(from, done);
      }
    }
  }

  private boolean lineStart(int at) {
    return at == 0 || file.charAt(at - 1) == '\n';
  }

  /** The value after a key in this column, or in a flow mapping: column -1. */
  private void value(Kind kind, int from, int column) {
    Matcher quoted = QUOTED.matcher(file).region(from, file.length());
    if (quoted.lookingAt()) {
      other(from);
      found.add(Passage.quoted(kind, file, from, quoted.end()));
      done = quoted.end();
    } else if (column >= 0) {
      Matcher block = BLOCK.matcher(file).region(from, file.length());
      int start = block.lookingAt() ? block.end() : from;
      other(start);
      done = endOfLines(start, column);
      found.add(Passage.plain(kind, file, start, done));
    } else {
      flowScalar(kind, from);
    }
  }

  private void flowScalar(Kind kind, int from) {
    Matcher scalar = FLOW_SCALAR.matcher(file).region(from, file.length());
    if (scalar.lookingAt()) {
      other(from);
      found.add(Passage.plain(kind, file, from, scalar.end()));
      done = scalar.end();
    }
  }

  /** The end of the line, and of those after it that are blank or further to the right. */
  private int endOfLines(int from, int column) {
    int end = endOfLine(from);
    while (end < file.length()) {
      int next = endOfLine(end + 1);
      String line = file.substring(end + 1, next);
      if (!line.isBlank() && line.length() - line.stripLeading().length() <= column) {
        return end;
      }
      end = next;
    }
    return end;
  }

  private int endOfLine(int from) {
    int end = file.indexOf('\n', from);
    return end < 0 ? file.length() : end;
  }

  private void other(int to) {
    if (to > done) {
      found.add(Passage.plain(Kind.OTHER, file, done, to));
    }
  }
}

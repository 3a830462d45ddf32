package io.lapwing.agent.names;

import io.lapwing.agent.names.Passage.Kind;
import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Rename;
import io.lapwing.gpu.DcgmNames.Scale;
import io.lapwing.gpu.NameGeneration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names of one generation for those of the others, in whole files. */
public final class Translation {

  /**
   * With its colons: in {@code node:DCGM_FI_DEV_GPU_TEMP:max}, the name of a recorded series, no
   * part is a family. The colon of the group {@code (?:a|b)} and one at the end of a word are not
   * of it.
   */
  private static final Pattern WORD =
      Pattern.compile("(?:[A-Za-z_]|(?<!\\?):)(?:[A-Za-z0-9_:]*[A-Za-z0-9_])?");

  private static final Pattern PATTERN_OF_NAMES = Pattern.compile("DCGM_[A-Z0-9_]*+[.*+?(\\[]");

  /** The same in any text: no range, no Markdown, no end of a sentence. */
  private static final Pattern PATTERN_IN_TEXT =
      Pattern.compile("(DCGM_[A-Z0-9_]*+)(?:\\.[*+?]|[+(]|\\[(?![0-9$])|\\$(?=[{A-Za-z]))");

  private final NameGeneration to;
  private final Map<String, Name> families;
  private final String oldHostname;
  private final String newHostname;
  private final Pattern hostnameInTemplate;
  private final Pattern newHostnameInTemplate;
  private final Pattern hostnameAlone;
  private final Pattern hostnameAsKey;
  private final Pattern hostnameInList;

  /** Another name, and what makes the value that the old name had of its value. */
  record Name(String other, Optional<Scale> scale) {}

  /** A translated file; each warning is {@code LINE: text}. */
  public record Result(String text, int changes, List<String> warnings) {

    public Result {
      warnings = List.copyOf(warnings);
    }
  }

  public Translation(NameGeneration to) {
    this.to = to;
    this.newHostname = to.hostnameLabel();
    this.oldHostname =
        (to == NameGeneration.CLASSIC ? NameGeneration.V4_9 : NameGeneration.CLASSIC)
            .hostnameLabel();
    this.hostnameInTemplate = inTemplate(oldHostname);
    this.newHostnameInTemplate = inTemplate(newHostname);
    this.hostnameAlone = Pattern.compile("(?<![^, ])" + oldHostname + "(?![^, ])");
    this.hostnameAsKey = Pattern.compile("\\b" + oldHostname + "[\"']?\\s*:");
    this.hostnameInList = inList(oldHostname);
    this.families =
        DcgmNames.SHIPPED.all().stream().collect(Collectors.toMap(this::old, this::name));
  }

  /** A use of a label in a template of Prometheus or Grafana, or in a pattern of series. */
  private static Pattern inTemplate(String label) {
    return Pattern.compile(
        "(?:\\{\\{\\s*+|\\$labels\\.|\\.[Ll]abels\\.)(" + label + ")\\b|\\b(" + label + ")(?==)");
  }

  /** Group 1: all of a pattern, or one of its names; group 2: in a list, or by a key. */
  private static Pattern inList(String label) {
    String name = "[\"']?(" + label + ")[\"']?[ ]*+(?=[,\\]}#\\n]|\\z)";
    return Pattern.compile(
        "(?m)(?:^|(?<=[|(]))[ ]*+("
            + label
            + ")[ ]*+(?=[|)]|$)"
            + "|(?:[\\[,]\\s*+|^[ ]*+-[ ]++|(?:target_label|source_label)[ ]*+:[ ]++)"
            + name);
  }

  private String old(Rename rename) {
    return to.classicNames() ? rename.name() : rename.classic();
  }

  private Name name(Rename rename) {
    return to.classicNames()
        ? new Name(rename.classic(), rename.scale())
        : new Name(rename.name(), rename.scale().map(Scale::inverse));
  }

  /** Everything but the translated names stays as it is, byte for byte. */
  public Result translate(String file) {
    Passages passages = Passages.of(file);
    Hosts hosts = new Hosts(file, passages, hostnameAsKey);
    Edits edits = new Edits(file);
    for (Passage passage : passages.all()) {
      if (passage.kind() == Kind.EXPRESSION) {
        new Expression(passage, this, hosts, edits.of(passage)).translate();
      } else {
        names(
            passage.text(),
            0,
            edits.of(passage),
            Optional.of(passage.kind())
                .filter(kind -> kind != Kind.PATTERN)
                .map(kind -> "and this is not an expression"));
        patterns(passage.text(), edits.of(passage));
        templates(passage, hosts, edits.of(passage));
        if (passages.isYaml(passage)) {
          configuration(passage, edits.of(passage));
        }
      }
    }
    return new Result(
        edits.apply(file),
        edits.count(),
        edits.warnings().stream()
            .map(warning -> line(file, warning.place()) + ": " + warning.text())
            .toList());
  }

  private static long line(String file, int place) {
    return 1 + file.chars().limit(place).filter(sign -> sign == '\n').count();
  }

  Optional<Name> family(String name) {
    return Optional.ofNullable(families.get(name));
  }

  /** The other name of a label of the driver's version. */
  Optional<String> driverLabel(String name) {
    return Arrays.stream(NameGeneration.values())
        .map(NameGeneration::driverLabel)
        .filter(old -> old.equals(name) && !old.equals(to.driverLabel()))
        .findFirst()
        .map(old -> to.driverLabel());
  }

  String oldHostname() {
    return oldHostname;
  }

  String newHostname() {
    return newHostname;
  }

  static boolean mayMatchNames(String text) {
    return PATTERN_OF_NAMES.matcher(text).find();
  }

  /** Names in a text, which starts here in its passage, and why a value there stays. */
  void names(String text, int start, Edits edits, Optional<String> why) {
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      int from = start + word.start();
      int end = start + word.end();
      driverLabel(word.group()).ifPresent(label -> edits.replace(from, end, label));
      Optional<Name> family = family(word.group());
      family.ifPresent(name -> edits.replace(from, end, name.other()));
      if (why.isPresent() && family.flatMap(Name::scale).isPresent()) {
        edits.warn(from, word.group() + " changes its unit, " + why.get());
      }
    }
  }

  /** A name whose end is the value of a variable, of which the file does not say all. */
  void madeOfVariable(String start, String variable, int at, Edits edits) {
    if (families.keySet().stream().anyMatch(name -> name.startsWith(start))) {
      edits.warn(
          at,
          "the name "
              + start
              + variable
              + " is made of a variable: its values may need other names, and conversions");
    }
  }

  /** Patterns that may match a family that gets another name, such as a keep list has. */
  private void patterns(String text, Edits edits) {
    Matcher pattern = PATTERN_IN_TEXT.matcher(text);
    while (pattern.find()) {
      String start = pattern.group(1);
      if (families.keySet().stream().anyMatch(name -> name.startsWith(start))) {
        edits.warn(pattern.start(), "the pattern " + start + "... may need other names");
      }
    }
  }

  /** The label of the host in legends and templates, but for lines that name both. */
  private void templates(Passage passage, Hosts hosts, Edits edits) {
    String text = passage.text();
    Matcher label = hostnameAlone.matcher(text);
    while (passage.kind() == Kind.LABEL && label.find()) {
      hostname(label.start(), label.end(), hosts.around(passage.place(label.start())), edits);
    }
    Matcher use = hostnameInTemplate.matcher(text);
    while (use.find()) {
      int group = use.group(1) != null ? 1 : 2;
      boolean pattern = group == 2;
      boolean here = pattern ? passage.kind() == Kind.PATTERN : !isForBoth(text, use.start());
      if (here) {
        hostname(
            use.start(group), use.end(group), hosts.around(passage.place(use.start(group))), edits);
      }
    }
  }

  /** Lists and patterns of labels, such as those of Alertmanager and of relabelling. */
  private void configuration(Passage passage, Edits edits) {
    Matcher label = hostnameInList.matcher(passage.text());
    while (label.find()) {
      if (label.group(2) != null || passage.kind() == Kind.PATTERN) {
        edits.warn(
            Math.max(label.start(1), label.start(2)),
            "the label " + oldHostname + " stays here; DCGM's series have " + newHostname);
      }
    }
  }

  private void hostname(int from, int to, Host host, Edits edits) {
    if (host == Host.DOUBTFUL) {
      edits.warn(
          from, "the label " + oldHostname + " stays here: an expression reads other series, too");
    } else if (host != Host.OF_OTHERS) {
      edits.replace(from, to, newHostname);
    }
  }

  private boolean isForBoth(String text, int at) {
    return newHostnameInTemplate
        .matcher(lineAround(text, at))
        .results()
        .anyMatch(use -> use.group(1) != null);
  }

  private static String lineAround(String text, int at) {
    int end = text.indexOf('\n', at);
    return text.substring(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length() : end);
  }
}

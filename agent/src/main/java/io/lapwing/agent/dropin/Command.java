package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Place.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A command that starts dcgm-exporter: by itself, in a container, or by a shell. */
final class Command {

  private static final Set<String> RUNTIMES = Set.of("docker", "podman", "nerdctl");
  static final Set<String> SEPARATORS = Set.of("&&", "||", Words.END, "|", "&");
  private static final Set<String> PREFIXES = Set.of("sudo", "exec", "env", "nohup", "command");
  private static final Set<String> NAMED =
      Set.of(
          "--name",
          "--hostname",
          "-h",
          "--network",
          "--net",
          "--network-alias",
          "--add-host",
          "--label",
          "-l",
          "--user",
          "-u",
          "--workdir",
          "-w",
          "--volume",
          "-v",
          "--volumes-from",
          "--mount");

  /** No path, no flag with a value, and no variable. */
  private static final Pattern IMAGE =
      Pattern.compile("(?![-/]|[A-Za-z_][A-Za-z0-9_]*=)(?:.*/)?dcgm-exporter(?:[:@].*)?");

  /** Flags of a runtime without a value. */
  private static final Pattern SWITCHES =
      Pattern.compile(
          "-[ditP]+|--(?:rm|detach|init|interactive|privileged|tty|publish-all|replace)");

  private static final Pattern DCGM = Pattern.compile("(?i)dcgm");

  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");

  private final List<Word> words;
  private final Found found;

  private Command(List<Word> words, Found found) {
    this.words = words;
    this.found = found;
  }

  /** Reads the first command of a text that is one, and names the others; returns whether it is. */
  static boolean read(List<Word> text, Found found) {
    boolean any = false;
    for (Command command : commands(text, found)) {
      if (!any) {
        any = command.read();
      } else if (!command.isFlags() && new Command(command.words, new Found()).read()) {
        found.unknown(
            command.words.get(0).place(),
            "another command of dcgm-exporter; not translated: give it to this command in a file"
                + " of its own");
      }
    }
    return any;
  }

  private static List<Command> commands(List<Word> text, Found found) {
    List<Command> commands = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    for (Word word : text) {
      if (SEPARATORS.contains(word.text())) {
        commands.add(new Command(List.copyOf(words), found));
        words.clear();
      } else {
        words.add(word);
      }
    }
    commands.add(new Command(List.copyOf(words), found));
    return commands;
  }

  /** The arguments of a container whose program is the image's, or given before them. */
  static void container(List<Word> words, Found found) {
    found.present();
    if (!words.isEmpty() && isShell(base(words.get(0)))) {
      if (!read(words, found)) {
        found.unknown(
            words.get(0).place(),
            "no command of this script is dcgm-exporter; its flags are not read");
      }
    } else if (words.isEmpty() || words.get(0).text().startsWith("-") || !read(words, found)) {
      int flag = 0;
      while (flag < words.size() && !words.get(flag).text().startsWith("-")) {
        flag++;
      }
      found.arguments(words.subList(flag, words.size()));
    }
  }

  private boolean read() {
    for (int i = 0; i < words.size(); i++) {
      if (isAssignment(words.get(i))) {
        continue;
      }
      String name = base(i);
      if (isShell(name) && i + 2 < words.size() && words.get(i + 1).text().matches("-[a-z]*c")) {
        Word script = words.get(i + 2);
        return read(Words.ofScript(script.place(), script.text(), found.variables()), found);
      }
      if (RUNTIMES.contains(name) && i + 1 < words.size() && base(i + 1).equals("run")) {
        return runtime(i + 2);
      }
      if (name.startsWith("dcgm-exporter")) {
        assignments(i);
        found.arguments(words.subList(i + 1, words.size()));
        return true;
      }
      if (!PREFIXES.contains(name)) {
        break;
      }
    }
    if (isFlags()) {
      found.arguments(words);
    }
    return isFlags();
  }

  private boolean isFlags() {
    return !words.isEmpty() && words.get(0).text().startsWith("-");
  }

  private static boolean isAssignment(Word word) {
    return ASSIGNMENT.matcher(word.text()).matches();
  }

  private static boolean isShell(String name) {
    return name.equals("sh") || name.equals("bash");
  }

  private String base(int at) {
    return base(words.get(at));
  }

  private static String base(Word word) {
    String text = word.text();
    return text.substring(text.lastIndexOf('/') + 1);
  }

  private void assignments(int end) {
    words.subList(0, end).stream()
        .filter(Command::isAssignment)
        .forEach(word -> found.assignment(word.place(), word.text()));
  }

  /** {@code docker run [flags] image [arguments]}. */
  private boolean runtime(int first) {
    OptionalInt image =
        IntStream.concat(
                IntStream.range(first, words.size()).filter(this::isImage),
                IntStream.range(first, words.size()).filter(this::isUnknownImage))
            .findFirst();
    image.ifPresent(
        at -> {
          IntStream.range(first, at).forEach(this::flag);
          found.image(words.get(at).place(), words.get(at).text());
          found.mounts().inContainer();
          container(words.subList(at + 1, words.size()), found);
        });
    return image.isPresent();
  }

  private boolean isImage(int at) {
    return IMAGE.matcher(words.get(at).text()).matches()
        && !NAMED.contains(words.get(at - 1).text());
  }

  /** A variable that is no value of a flag, in a command that names DCGM or its exporter. */
  private boolean isUnknownImage(int at) {
    String before = words.get(at - 1).text();
    boolean isValue =
        before.startsWith("-") && !before.contains("=") && !SWITCHES.matcher(before).matches();
    return words.get(at).text().startsWith("$")
        && Variables.unknown(words.get(at).text()).isPresent()
        && !isValue
        && words.stream().anyMatch(word -> DCGM.matcher(word.text()).find());
  }

  /** A flag of the runtime that matters. */
  private void flag(int at) {
    String[] parts = words.get(at).text().split("=", 2);
    Place place = words.get(at).place();
    String value =
        parts.length == 2 ? parts[1] : at + 1 < words.size() ? words.get(at + 1).text() : "";
    switch (parts[0]) {
      case "-e", "--env" -> found.assignment(place, value);
      case "--env-file" ->
          found.remark(place, "flag --env-file: give " + value + " to this command, too");
      case "-p", "--publish" ->
          found.remark(
              place, "flag " + parts[0] + ": publish the port of Lapwing's container the same way");
      case "-v", "--volume" -> Mounts.read(value).ifPresent(found.mounts()::add);
      case "--mount" -> Mounts.readPairs(value).ifPresent(found.mounts()::add);
      case "--gpus", "--device" -> gpus(place, parts[0], value.replace("\"", ""));
      default -> {
        // Which volumes and rights a container of Lapwing needs is in its documentation.
      }
    }
  }

  /** Lapwing in a container reads the GPUs that its container has. */
  private void gpus(Place place, String flag, String value) {
    boolean isAll = value.equals("all") || value.equals("nvidia.com/gpu=all");
    if (!isAll && (flag.equals("--gpus") || value.startsWith("nvidia.com/gpu="))) {
      found.remark(place, "flag " + flag + someGpus("the GPUs " + value, "the flag"));
    }
  }

  static String someGpus(String gpus, String setting) {
    return ": dcgm-exporter has only "
        + gpus
        + "; give "
        + setting
        + " to Lapwing's container too, since Lapwing reads all it has";
  }
}

package io.lapwing.bench.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** One GPU in one output of nvidia-smi. */
record SmiGpu(int index, String driverVersion, Element element) {

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  String pciBusId() {
    return element.getAttribute("id");
  }

  /** Whether a process computes on it. */
  boolean isBusy() {
    return below("processes", "process_info").stream()
        .anyMatch(process -> process.text("type").orElse("").contains("C"));
  }

  /** Elements of a list below this one, each with paths of its own. */
  List<SmiGpu> below(String list, String name) {
    List<SmiGpu> found = new ArrayList<>();
    for (Node at = element.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at instanceof Element inner && inner.getTagName().equals(list)) {
        for (Node one = inner.getFirstChild(); one != null; one = one.getNextSibling()) {
          if (one instanceof Element item && item.getTagName().equals(name)) {
            found.add(new SmiGpu(index, driverVersion, item));
          }
        }
      }
    }
    return found;
  }

  /** The text below a path like {@code clocks/sm_clock}; empty if nvidia-smi has no value. */
  Optional<String> text(String path) {
    Element at = element;
    for (String name : path.split("/", -1)) {
      Optional<Element> next = child(at, name);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get();
    }
    String text = at.getTextContent().strip();
    return text.isEmpty() || text.contains("N/A") ? Optional.empty() : Optional.of(text);
  }

  /**
   * The number in a text such as {@code 71.50 W}, {@code 16x}, {@code P0} or {@code 96 bank(s)}.
   */
  OptionalDouble number(String path) {
    return text(path).map(NUMBER::matcher).filter(Matcher::find).stream()
        .mapToDouble(found -> Double.parseDouble(found.group()))
        .findFirst();
  }

  /** The first existing of several paths; newer drivers renamed some. */
  OptionalDouble firstNumber(String... paths) {
    for (String path : paths) {
      OptionalDouble number = number(path);
      if (number.isPresent()) {
        return number;
      }
    }
    return OptionalDouble.empty();
  }

  /** 1 if the text is one of the given, else 0. */
  OptionalDouble flag(String path, String... meansOne) {
    return text(path).stream()
        .mapToDouble(text -> List.of(meansOne).contains(text) ? 1 : 0)
        .findFirst();
  }

  /** The index of the text in a list of names; empty if unknown. */
  OptionalDouble place(String path, List<String> names) {
    return text(path).map(names::indexOf).filter(place -> place >= 0).stream()
        .mapToDouble(Integer::doubleValue)
        .findFirst();
  }

  /**
   * The sum of the existing paths; a GPU reports either the old name of a count or the new ones.
   */
  OptionalDouble sum(String... paths) {
    List<Double> found = new ArrayList<>();
    for (String path : paths) {
      number(path).ifPresent(found::add);
    }
    return found.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(found.stream().mapToDouble(Double::doubleValue).sum());
  }

  private static Optional<Element> child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }
}

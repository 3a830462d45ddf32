package io.lapwing.agent.config;

import io.lapwing.common.config.ValueType;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

/** The inference engines to scrape; {@code auto} tries the default ports of this host. */
public record InferenceTargets(boolean auto, List<URI> pages) {

  static final InferenceTargets OFF = new InferenceTargets(false, List.of());

  public InferenceTargets {
    pages = List.copyOf(pages);
  }

  /** Without the queries, which may be secrets. */
  @Override
  public String toString() {
    return auto ? "auto" : pages.size() + " URLs";
  }

  public boolean any() {
    return auto || !pages.isEmpty();
  }

  static InferenceTargets parse(String text) throws ValueType.Invalid {
    return switch (text) {
      case "off" -> OFF;
      case "auto" -> new InferenceTargets(true, List.of());
      default -> new InferenceTargets(false, pages(text));
    };
  }

  private static List<URI> pages(String text) throws ValueType.Invalid {
    List<URI> pages = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      pages.add(page(one.strip(), pages.size() + 1));
    }
    return pages;
  }

  /** The error does not repeat the text, which may be a part of a secret that has a comma. */
  private static URI page(String text, int number) throws ValueType.Invalid {
    try {
      URI page = new URI(text);
      String scheme = page.getScheme();
      if (scheme != null
          && scheme.equalsIgnoreCase("http")
          && page.getHost() != null
          && page.getUserInfo() == null
          && page.getFragment() == null) {
        return page;
      }
    } catch (URISyntaxException noUri) {
      // Falls through to the error below.
    }
    throw new ValueType.Invalid(
        "is not a list of URLs such as http://localhost:8000/metrics without user and password:"
            + " number "
            + number
            + " is wrong (a comma in a URL is %2C)");
  }
}

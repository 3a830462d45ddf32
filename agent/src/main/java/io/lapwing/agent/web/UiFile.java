package io.lapwing.agent.web;

import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** A file of a fixed list, read from the jar on each request to save a heap of 20 MiB. */
record UiFile(String file) implements Page {

  static final String PATH = "/ui";

  static final String INDEX = "index.html";

  /** All other files, served below {@link #PATH}. */
  static final Set<String> PARTS =
      Set.of(
          "style.css",
          "icon.svg",
          "uPlot.iife.min.js",
          "uPlot.min.css",
          "actions.js",
          "agent.js",
          "cards.js",
          "copy.js",
          "dom.js",
          "events.js",
          "fabric.js",
          "format.js",
          "gpus.js",
          "history.js",
          "holders.js",
          "main.js",
          "plots.js",
          "support.js",
          "theme.js",
          "verdict.js",
          "workloads.js");

  /** The runbooks, below {@link #PATH}; {@code docs/runbooks} of the repository. */
  static final String RUNBOOKS = "runbooks";

  /** No requests to other hosts, no inline scripts, no framing by other sites. */
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " object-src 'none'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "md", "text/plain; charset=utf-8",
          "svg", "image/svg+xml");

  @Override
  public Answer answer(Query query) {
    byte[] body = read();
    String tag = tag(body);
    // Revalidated on each load, so that no browser shows an old UI after an upgrade.
    Map<String, String> headers =
        Map.of(
            "ETag",
            tag,
            "Cache-Control",
            "no-cache",
            "Content-Security-Policy",
            POLICY,
            "Referrer-Policy",
            "no-referrer");
    return has(query.header("If-None-Match"), tag)
        ? new Answer(304, type(), headers, new byte[0])
        : new Answer(200, type(), headers, body);
  }

  private String type() {
    return TYPES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "text/plain");
  }

  private byte[] read() {
    try (InputStream in = UiFile.class.getResourceAsStream("ui/" + file)) {
      if (in == null) {
        throw new IllegalStateException("ui/" + file + " is missing from the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("ui/" + file + " is unreadable in the jar", e);
    }
  }

  /** Weak, because the response may be compressed. */
  private static String tag(byte[] body) {
    CRC32 sum = new CRC32();
    sum.update(body);
    return String.format(
        Locale.ROOT, "W/\"%s-%x\"", HexFormat.of().toHexDigits(sum.getValue(), 8), body.length);
  }

  private static boolean has(@Nullable String tags, String tag) {
    return tags != null && List.of(tags.split("\\s*,\\s*", -1)).contains(tag);
  }
}

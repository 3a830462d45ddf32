package io.lapwing.common.text;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Removes secrets from texts that people see or send: in URLs by their structure ({@link #urls}),
 * others by their form.
 */
public final class Redaction {

  static final String REMOVED = "[redacted]";

  private static final String ANY_SCHEME = "http://";
  private static final Pattern NO_URL = Pattern.compile("[\\s\"'<>`\\\\]");
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");

  private record Secret(Pattern pattern, String instead) {}

  private static final List<Secret> SECRETS =
      List.of(
          // A bcrypt hash.
          new Secret(Pattern.compile("\\$2[abxy]\\$\\d\\d\\$[./A-Za-z0-9]{20,60}"), REMOVED),
          new Secret(
              Pattern.compile(
                  "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\\s\\S]{0,20000}?-----END [A-Z ]{0,30}PRIVATE KEY-----"),
              REMOVED),
          // An access key of AWS.
          new Secret(Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b"), REMOVED),
          // Tokens of GitHub, Hugging Face and Slack, and JSON Web Tokens.
          new Secret(
              Pattern.compile(
                  "\\b(?:gh[opsu]_|github_pat_|hf_|xox[abp]-|eyJ[A-Za-z0-9_-]{10,1000}\\.eyJ)"
                      + "[A-Za-z0-9._-]{16,4000}"),
              REMOVED),
          new Secret(
              Pattern.compile("(?i)\\b(hooks\\.slack\\.com/services/)[A-Za-z0-9/]{10,200}"),
              "$1" + REMOVED),
          new Secret(
              Pattern.compile(
                  "(?i)(--[a-z0-9-]{0,40}(?:password|passwd|secret|token|api-?key)\\s{1,3})(?![-\\s])\\S{1,2000}"),
              "$1" + REMOVED),
          new Secret(
              Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,2000}"),
              "$1 " + REMOVED),
          new Secret(
              Pattern.compile(
                  "(?i)\\b([a-z0-9_.-]{0,40}(?:password|passwd|secret|token|api_?key|routing_key|service_key|credential)s?)(\"?\\s{0,2}[=:]\\s{0,2}\"?)"
                      + "(?!\\[redacted)[^\\s\",;}]{1,2000}"),
              "$1$2" + REMOVED));

  private Redaction() {}

  /** Without the user information and the parameters of any URL. */
  public static String urls(String text) {
    return UrlRedaction.of(text);
  }

  /**
   * A value that should be a URL, or a list of URLs, and may lack its scheme. Nothing of it is
   * shown if it has a character that no URL has: a secret may continue after it.
   */
  public static String url(String value) {
    if (NO_URL.matcher(value).find()) {
      return REMOVED;
    }
    boolean complete = SCHEME.matcher(value).lookingAt();
    String redacted =
        complete ? urls(value) : urls(ANY_SCHEME + value).substring(ANY_SCHEME.length());
    return redacted.replace(REMOVED + "@", "").indexOf('@') < 0 ? redacted : REMOVED;
  }

  /** Without texts in the form of a secret. */
  public static String of(String text) {
    String redacted = urls(text);
    for (Secret secret : SECRETS) {
      redacted = secret.pattern().matcher(redacted).replaceAll(secret.instead());
    }
    return redacted;
  }
}

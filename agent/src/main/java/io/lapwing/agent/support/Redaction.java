package io.lapwing.agent.support;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Removes what looks like a secret. The parts of a bundle should have none: this is the second
 * barrier, for a URL with a password or a token on a command line in the kernel log.
 */
final class Redaction {

  private static final String REMOVED = "[redacted]";

  private record Secret(Pattern pattern, String instead) {}

  private static final List<Secret> SECRETS =
      List.of(
          // The user information of a URL.
          new Secret(
              Pattern.compile("(?i)\\b([a-z][a-z0-9+.-]{0,20}://)[^/@\\s\"']{1,500}@"),
              "$1" + REMOVED + "@"),
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

  static String of(String text) {
    String redacted = text;
    for (Secret secret : SECRETS) {
      redacted = secret.pattern().matcher(redacted).replaceAll(secret.instead());
    }
    return redacted;
  }
}

package io.lapwing.common.web;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Whether the host name of a request belongs to this site. A foreign web page may resolve its own
 * name to the address of a node, and read the agent through the browser of a user inside (DNS
 * rebinding).
 *
 * @param allowed {@code node7.example.com}, or {@code *.example.com} for all names below; if not
 *     empty, these apply to every path
 * @param own names of this node
 */
public record KnownHosts(List<String> allowed, Set<String> own) {

  /** Of single machines, or reserved for private networks (RFC 6762, RFC 6761, ICANN 2024). */
  private static final List<String> PRIVATE = List.of(".local", ".localhost", ".internal");

  public static KnownHosts of(List<String> allowed, String hostname) {
    return new KnownHosts(allowed, Set.of(hostname.toLowerCase(Locale.ROOT)));
  }

  boolean isRefused(Request request) {
    String path = Request.getPathInContext(request);
    return (!allowed.isEmpty() || isForBrowsers(path) || isOfBrowser(request))
        && !path.startsWith("/-/")
        && !isKnown(Request.getServerName(request));
  }

  /** Not the metrics, which Prometheus may scrape by any name. */
  private static boolean isForBrowsers(String path) {
    return path.equals("/") || path.startsWith("/api/") || path.startsWith("/ui");
  }

  /** The script of a page can change Accept-Language, but not omit it. */
  private static boolean isOfBrowser(Request request) {
    String agent = request.getHeaders().get(HttpHeader.USER_AGENT);
    return request.getHeaders().contains(HttpHeader.ACCEPT_LANGUAGE)
        || (agent != null && agent.startsWith("Mozilla/"));
  }

  boolean isKnown(String host) {
    String name = host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
    return isAddress(name)
        // Public names contain a dot.
        || name.indexOf('.') < 0
        || own.contains(name)
        || PRIVATE.stream().anyMatch(name::endsWith)
        || allowed.stream().anyMatch(one -> matches(one, name));
  }

  private static boolean matches(String pattern, String name) {
    return pattern.startsWith("*.") ? name.endsWith(pattern.substring(1)) : name.equals(pattern);
  }

  private static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  }
}

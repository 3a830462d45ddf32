package io.lapwing.agent.config;

import io.lapwing.common.config.Option;

/** {@code docs/configuration.md}, generated from the table of options. */
final class ConfigurationPage {
  private static final String HEAD =
      """
      # Configuration

      <!-- Generated from io.lapwing.agent.config.Options; a test keeps the two equal. -->

      The agent needs no configuration. Every option below can be set in three places. A flag overrides an environment
      variable, a variable overrides the file, and the file overrides the default:

      | where | how |
      |---|---|
      | command line | `--web.max-requests=10` or `--web.max-requests 10` |
      | environment | `LAPWING_WEB_MAX_REQUESTS=10`; an empty variable counts as not set |
      | file | `--config.file=/etc/lapwing.yml` with `web.max-requests: 10`, or nested: `web: {max-requests: 10}` |

      - A duration is a whole number and a unit: `500ms`, `5s`, `1m`, `1h`, `1d`.
      - A repeatable option is a list in the file and comma-separated in the environment.
      - A boolean flag is written `--once`, `--no-once` or `--once=false`.
      - A word that starts with `--` is never taken as the value of the flag before it. To pass such a value, write
        `--flag=--value`.

      The agent reports all errors at once, one line each with its place, and exits with code 2 before it opens a port.
      An unknown `LAPWING_...` variable is only a warning. `lapwing agent --check-config`, with the flags of the unit,
      checks the file and the files that it names (policy, field list, key of pseudonyms, web configuration with its certificates). It
      prints the settings and where each one was set, or every error, and exits with 0 or 2. It starts nothing.

      The file may contain `version: 1`, the only version so far and the default.

      ## Options

      Last column: `reload` means that SIGHUP (`systemctl reload lapwing`) applies a change. `restart` means that a reload
      keeps the previous value and logs a warning. See [upgrading.md](upgrading.md).

      | flag and key | variable | value | default | meaning | change |
      |---|---|---|---|---|---|
      """;

  private static final String TAIL =
      """
      | `--[no-]collector.<name>` | `LAPWING_COLLECTOR_<NAME>` | `true\\|false` | see `--help` | Enable or disable one collector. | reload |

      `--help` prints these options and the collectors, a line each; `--help-long` whole sentences; `--version` the version.

      ## Notes

      * `cadence.fast` must be at least 200ms, `cadence.medium` at least `cadence.fast`, and `cadence.slow` at least
        `cadence.medium`.
      * `web.listen-address` accepts `:9754` (all addresses), `127.0.0.1:9754`, `[::1]:9754`, `host:9754`, and beside one of these
        `unix:/run/lapwing/agent/metrics.sock` ([who may open it](web-security.md#unix-sockets)).
      * `path.*` and `nvml.library` can point to any directory tree: fixtures, containers and simulations need nothing else.
      * `health.policy` names a file such as the one below. Whatever the file does not mention keeps the profile's value.
        `lapwing policy check FILE` reports every error in it, and `lapwing policy show` prints the effective policy.
        [xids.md](xids.md) lists the XIDs under both profiles. An XID that Lapwing does not know needs all of severity,
        action and urgency.
      * Set `health.expected-gpus` if a node is meant to have fewer GPUs than its instance type, or if its type is unknown.
      * Set `health.expected-efa-devices` if a node must have a certain number of EFA devices. With `auto`, fewer than its
        type supports are no fault, since EC2 attaches as many as were requested; a device that was there and is gone is.
      * `node.instance-type` and `node.instance-id` override DMI and the instance metadata service. `imds.url` also accepts
        `http://[fd00:ec2::254]`; [node.md](node.md) lists the requests sent there.
      * `node.hostname` defaults to the `NODE_NAME` of a Kubernetes pod, or else the kernel's host name.

      A policy file:

      ```yaml
      profile: aws                    # or nvidia, balanced; --health.profile overrides it
      xids:
        63: {severity: degraded, action: reset_gpu, urgency: job_end}
        119: {urgency: job_end}       # severity and action from the profile
        unknown: {severity: info}     # every XID that Lapwing does not know
      ```

      | field | values |
      |---|---|
      | `severity` | `info`, `degraded`, `unknown`, `failing` |
      | `action` | `none`, `watch`, `restart_app`, `restart_service`, `reset_gpu`, `reboot_node`, `replace_node` |
      | `urgency` | `job_end`, `now` |

      Under `rules:` each rule accepts the same three fields, `enabled: true` or `false`, and its own `thresholds:`.
      `lapwing policy show` lists rules and thresholds.
      """;

  private ConfigurationPage() {}

  static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    Options.FIXED.forEach(option -> page.append(row(option)));
    return page.append(TAIL).toString();
  }

  private static String row(Option<?> option) {
    String fallback = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
    return "| `%s` | `%s` | `%s` | %s | %s | %s |%n"
        .formatted(
            option.isBoolean() ? "--[no-]" + option.name() : option.flag(),
            option.variable(Options.PREFIX),
            option.placeholder().replace("|", "\\|"),
            fallback,
            option.help(),
            option.reloadable() ? "reload" : "restart");
  }
}

package io.lapwing.agent.config;

/** {@code docs/configuration.md}, made from the table of options. */
final class ConfigurationPage {
  private static final String HEAD =
      """
      # Configuration

      <!-- Generated from io.lapwing.agent.config.Options; a test holds the two equal. -->

      The agent needs no configuration. Every option below can be set in three places; a flag comes before an
      environment variable, a variable before the file, the file before the default:

      | where | how |
      |---|---|
      | command line | `--web.max-requests=10` or `--web.max-requests 10` |
      | environment | `LAPWING_WEB_MAX_REQUESTS=10`; an empty variable counts as not set |
      | file | `--config.file=/etc/lapwing.yml` with `web.max-requests: 10`, or nested: `web: {max-requests: 10}` |

      Durations are a whole number and a unit: `500ms`, `5s`, `1m`, `1h`, `1d`. An option that may be repeated on the
      command line is a list in the file and separated by commas in the environment. Switches are `true` or `false`;
      as a flag, the name alone means `true`.

      Every mistake is told in one line that names its place, all of them at once, and the agent exits with code 2
      before it opens a port. Only an unknown `LAPWING_...` variable is no more than a warning. `lapwing agent
      --check-config`, with the flags of the unit, does no more than that: it reads the file and all that it names (policy,
      field list, web configuration with its certificates), prints what holds and where it comes from, or every mistake,
      and ends with 0 or 2. It starts nothing.

      The file may say of what version it is: `version: 1`, the newest there is, and what is meant where it says nothing.

      ## Options

      `reload` in the last column: SIGHUP (`systemctl reload lapwing`) is enough for a change in the file; `restart`: the
      value of before holds until the agent is started again, and the log says so. [upgrading.md](upgrading.md) has the
      rules.

      | flag and key | variable | value | default | meaning | change |
      |---|---|---|---|---|---|
      """;

  private static final String TAIL =
      """
      | `--collector.<name>` | `LAPWING_COLLECTOR_<NAME>` | `true\\|false` | see `--help` | Switch one collector on; `--no-collector.<name>` is `--collector.<name>=false`. | reload |

      `--help` lists the collectors and prints this table's texts; `--version` prints the version.

      ## Notes

      * `cadence.fast` is at least 200ms; `cadence.medium` is no shorter, and `cadence.slow` no shorter than that.
      * `web.listen-address` takes `:9754` (every address), `127.0.0.1:9754`, `[::1]:9754` or `host:9754`.
      * `path.*` and `nvml.library` make any node out of a folder: fixtures, containers and simulations use nothing else.
      * `health.policy` names a file such as the one below; what it does not name stays as the profile has it. `lapwing
        policy check FILE` tells every mistake in it, `lapwing policy show` prints what holds. [xids.md](xids.md) has the
        XIDs under both profiles. An XID that Lapwing does not know takes all three of severity, action and urgency.
      * `health.expected-gpus` is for a node that is meant to have fewer GPUs than its instance type, or whose type is not
        known.
      * `health.expected-efa-devices` is for a node that was started with fewer EFA devices than its instance type can have,
        which is no fault: EC2 attaches as many as were asked for.
      * `node.instance-type` and `node.instance-id` come before what DMI and the instance metadata service say. `imds.url`
        takes `http://[fd00:ec2::254]` as well; [node.md](node.md) tells what is asked there.
      * `node.hostname`: without it, the `NODE_NAME` that a Kubernetes pod is given, else the kernel's host name.

      A policy file:

      ```yaml
      profile: aws                    # or nvidia; --health.profile comes before it
      xids:
        63: {severity: degraded, action: reset_gpu, urgency: job_end}
        119: {urgency: job_end}       # the rest as the profile has it
        unknown: {severity: info}     # every XID that Lapwing does not know
      ```

      | field | words |
      |---|---|
      | `severity` | `info`, `degraded`, `unknown`, `failing` |
      | `action` | `none`, `watch`, `restart_app`, `reset_gpu`, `reboot_node`, `replace_node` |
      | `urgency` | `job_end`, `now` |

      Under `rules:` each rule takes the same three, `enabled: true` or `false`, and `thresholds:` with its own numbers;
      `lapwing policy show` lists rules and thresholds.
      """;

  private ConfigurationPage() {}

  static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    Options.FIXED.forEach(option -> page.append(row(option)));
    return page.append(TAIL).toString();
  }

  private static String row(Option<?> option) {
    String value = option.isSwitch() ? "true|false" : option.type().placeholder();
    String fallback = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
    return "| `%s` | `%s` | `%s` | %s | %s | %s |%n"
        .formatted(
            option.flag(),
            option.variable(),
            value.replace("|", "\\|"),
            fallback,
            option.help(),
            Reloading.reloads(option) ? "reload" : "restart");
  }
}

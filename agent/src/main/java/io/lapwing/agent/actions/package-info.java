/** Help for an operator with a finding: its runbook, and the commands on each platform. */
@NullMarked
package io.lapwing.agent.actions;

import org.jspecify.annotations.NullMarked;

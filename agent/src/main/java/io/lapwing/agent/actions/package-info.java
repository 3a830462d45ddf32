/** What an operator does about a finding: its runbook, and the commands on each platform. */
@NullMarked
package io.lapwing.agent.actions;

import org.jspecify.annotations.NullMarked;

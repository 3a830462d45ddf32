/** The combined meaning of XIDs and SXids: root causes and consequences, bursts, recurrences. */
@NullMarked
package io.lapwing.agent.health.rules.xid;

import org.jspecify.annotations.NullMarked;

/** What XIDs and SXids mean together: causes and victims, bursts, and what comes back. */
@NullMarked
package io.lapwing.agent.health.rules.xid;

import org.jspecify.annotations.NullMarked;

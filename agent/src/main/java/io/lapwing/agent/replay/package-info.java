/** {@code lapwing replay}: the facts in a saved kernel log, and their evaluation by a policy. */
@NullMarked
package io.lapwing.agent.replay;

import org.jspecify.annotations.NullMarked;

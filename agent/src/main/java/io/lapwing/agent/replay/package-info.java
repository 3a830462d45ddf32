/** {@code lapwing replay}: what a kept kernel log says, and what a policy makes of it. */
@NullMarked
package io.lapwing.agent.replay;

import org.jspecify.annotations.NullMarked;

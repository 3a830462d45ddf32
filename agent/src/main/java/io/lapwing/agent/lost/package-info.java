/** Why training steps took longer than they should: lost time, and what it was lost to. */
@NullMarked
package io.lapwing.agent.lost;

import org.jspecify.annotations.NullMarked;

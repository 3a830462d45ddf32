/** Why training steps took longer than they should: lost time, and what it was lost to. */
@NullMarked
package io.lapwing.agent.attribution;

import org.jspecify.annotations.NullMarked;

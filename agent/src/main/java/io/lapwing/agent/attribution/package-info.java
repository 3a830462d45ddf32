/** Why training steps took longer than they should: lost time and its causes. */
@NullMarked
package io.lapwing.agent.attribution;

import org.jspecify.annotations.NullMarked;

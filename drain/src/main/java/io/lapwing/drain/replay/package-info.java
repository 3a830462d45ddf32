/** Plays recorded history through the policy, in virtual time. */
@NullMarked
package io.lapwing.drain.replay;

import org.jspecify.annotations.NullMarked;

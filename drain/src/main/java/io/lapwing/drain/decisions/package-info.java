/** What the controller did and why, for people. */
@NullMarked
package io.lapwing.drain.decisions;

import org.jspecify.annotations.NullMarked;

/** What is kept of a node before it is repaired. */
@NullMarked
package io.lapwing.drain.evidence;

import org.jspecify.annotations.NullMarked;

/** The journal of decisions. */
@NullMarked
package io.lapwing.drain.journal;

import org.jspecify.annotations.NullMarked;

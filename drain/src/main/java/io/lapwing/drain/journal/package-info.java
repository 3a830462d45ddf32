/** What was decided. */
@NullMarked
package io.lapwing.drain.journal;

import org.jspecify.annotations.NullMarked;

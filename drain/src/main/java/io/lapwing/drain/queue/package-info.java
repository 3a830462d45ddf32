/** Why jobs wait, and what the cluster could start now. */
@NullMarked
package io.lapwing.drain.queue;

import org.jspecify.annotations.NullMarked;

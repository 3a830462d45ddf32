/** That somebody wants a node repaired. */
@NullMarked
package io.lapwing.drain.request;

import org.jspecify.annotations.NullMarked;

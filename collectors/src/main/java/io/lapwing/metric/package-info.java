/** The names Lapwing exposes. */
@NullMarked
package io.lapwing.metric;

import org.jspecify.annotations.NullMarked;

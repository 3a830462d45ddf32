/** What the health branch of a running agent costs, and how fast it is. */
@NullMarked
package io.lapwing.bench.health;

import org.jspecify.annotations.NullMarked;

/**
 * A fleet of nodes that only one server plays, for a real Prometheus to scrape: what grows with the
 * number of nodes, and how.
 */
@NullMarked
package io.lapwing.stack.fleet;

import org.jspecify.annotations.NullMarked;

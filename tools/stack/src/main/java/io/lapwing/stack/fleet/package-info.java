/**
 * A fleet of nodes played by one server for a real Prometheus, to measure how cost increases with
 * the number of nodes.
 */
@NullMarked
package io.lapwing.stack.fleet;

import org.jspecify.annotations.NullMarked;

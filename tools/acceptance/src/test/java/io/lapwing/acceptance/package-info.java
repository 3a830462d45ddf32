/**
 * From a fault on a node to whom it wakes: everything that ships, together, on simulated nodes. A
 * module of its own, since it mostly waits and can do so beside the tests of others.
 */
@NullMarked
package io.lapwing.acceptance;

import org.jspecify.annotations.NullMarked;

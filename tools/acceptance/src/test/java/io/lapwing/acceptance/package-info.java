/**
 * End-to-end tests on simulated nodes, from a fault to the notification. A separate module because
 * it mostly waits, in parallel to other tests.
 */
@NullMarked
package io.lapwing.acceptance;

import org.jspecify.annotations.NullMarked;

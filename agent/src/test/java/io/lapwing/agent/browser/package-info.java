/** A real browser for tests, driven over its DevTools protocol. */
@NullMarked
package io.lapwing.agent.browser;

import org.jspecify.annotations.NullMarked;

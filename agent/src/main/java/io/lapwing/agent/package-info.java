/** The process: what it is made of, and how it starts and ends. */
@NullMarked
package io.lapwing.agent;

import org.jspecify.annotations.NullMarked;

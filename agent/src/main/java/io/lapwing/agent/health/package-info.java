/**
 * What is wrong with this node, and what to do. Rules look at one moment and at what happened
 * before; the book keeps what they found; nothing here reads a device or writes a page.
 */
@NullMarked
package io.lapwing.agent.health;

import org.jspecify.annotations.NullMarked;

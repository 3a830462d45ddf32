/**
 * From what is read to what is said: looks at the board, notes what changed, asks the rules, keeps
 * the book.
 */
@NullMarked
package io.lapwing.agent.judge;

import org.jspecify.annotations.NullMarked;

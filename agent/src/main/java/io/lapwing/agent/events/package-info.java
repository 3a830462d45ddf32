/**
 * What happened on this node, kept over restarts: a line of JSON each in {@code events.jsonl} of
 * the state directory. {@code docs/events.md} has the format, the bounds and what becomes of
 * damage.
 *
 * <pre>
 * EventLog       appends; what cannot be written waits in memory
 * LogDirectory   the lock, the current file, new files, the end of old ones
 * CurrentFile    whole lines or none
 * Storage        the disk: one that is real, one that breaks
 * LogReader         at a start: FileScan reads a file, LogLines its lines, EventJson a line
 * </pre>
 */
@NullMarked
package io.lapwing.agent.events;

import org.jspecify.annotations.NullMarked;

/**
 * The node's events, durable across restarts: one JSON line each in {@code events.jsonl} of the
 * state directory. {@code docs/events.md} describes the format, the bounds and the handling of
 * damage.
 *
 * <pre>
 * EventHistory   all events in memory, compacted
 * LogQueue       the thread that writes them
 * EventLog       appends; buffers what cannot be written; starts new files with a snapshot
 * LogDirectory   the lock, the current file, rotation, deletion
 * CurrentFile    appends whole lines or none
 * Storage        the file system; tests have one that fails
 * LogReader      at a start: FileScan reads a file, EventJson a line
 * EventKind      the members of each kind, written and read
 * </pre>
 */
@NullMarked
package io.lapwing.agent.events;

import org.jspecify.annotations.NullMarked;

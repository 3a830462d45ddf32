package io.lapwing.agent.events;

import io.lapwing.host.HostFaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The newest events, where not all are shown. A user can cause thousands of some kinds within
 * minutes: these take a quarter of the room at most while others wait for it.
 */
public final class EventExcerpt {

  /** Of users, one in this many. */
  private static final int USERS_FRACTION = 4;

  /** The class {@code application} of the XID table: a program with a bug has them. */
  static final Set<Integer> APPLICATION_XIDS =
      Set.of(
          8, 11, 13, 14, 25, 31, 39, 40, 41, 43, 45, 47, 60, 65, 68, 69, 70, 71, 72, 73, 75, 76, 77,
          82, 83, 84, 85, 86, 88, 89, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 108, 126, 127,
          128, 129, 130, 131, 132, 133, 134, 135, 137, 139, 174);

  private EventExcerpt() {}

  /** At most {@code limit} of these, in their order, which is oldest first. */
  public static List<Event> newest(List<Event> all, int limit) {
    if (all.size() <= limit) {
      return all;
    }
    long ofUsers = all.stream().filter(EventExcerpt::isOfUsers).count();
    long others = all.size() - ofUsers;
    long usersRoom = Math.max(limit / USERS_FRACTION, limit - others);
    long skipUsers = Math.max(0, ofUsers - usersRoom);
    long skipOthers = Math.max(0, others - (limit - Math.min(ofUsers, usersRoom)));
    List<Event> newest = new ArrayList<>();
    for (Event event : all) {
      boolean skipped = isOfUsers(event) ? skipUsers-- > 0 : skipOthers-- > 0;
      if (!skipped) {
        newest.add(event);
      }
    }
    return newest;
  }

  /** Whether a user of the node can cause it at will. */
  static boolean isOfUsers(Event event) {
    return MinorFindings.isMinor(event)
        || event instanceof Event.KernelLogRead
        || event instanceof Event.ApplicationEnded
        || (event instanceof Event.HostFault fault
            && fault.fault().equals(HostFaultKind.OOM_KILL.text()))
        || (event instanceof Event.Xid xid && APPLICATION_XIDS.contains(xid.number()));
  }
}

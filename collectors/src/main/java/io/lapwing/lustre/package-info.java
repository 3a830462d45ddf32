/**
 * The Lustre client: what its modules tell in files below {@code /proc}, {@code /sys} and debugfs.
 * Nothing here runs a program or touches a mount point.
 */
@NullMarked
package io.lapwing.lustre;

import org.jspecify.annotations.NullMarked;

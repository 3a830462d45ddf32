/**
 * The Lustre client: the files of its modules below {@code /proc}, {@code /sys} and debugfs.
 * Nothing here runs a program or accesses a mount point.
 */
@NullMarked
package io.lapwing.lustre;

import org.jspecify.annotations.NullMarked;

/** The files of the Lustre client; nothing here runs a program or accesses a mount point. */
@NullMarked
package io.lapwing.lustre;

import org.jspecify.annotations.NullMarked;

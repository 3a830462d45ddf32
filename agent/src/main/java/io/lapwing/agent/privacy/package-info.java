/** How users, jobs and their programs are shown, equally on every page. */
@NullMarked
package io.lapwing.agent.privacy;

import org.jspecify.annotations.NullMarked;

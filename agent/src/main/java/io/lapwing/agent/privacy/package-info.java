/** What is shown of users, jobs and their programs, on every page alike. */
@NullMarked
package io.lapwing.agent.privacy;

import org.jspecify.annotations.NullMarked;

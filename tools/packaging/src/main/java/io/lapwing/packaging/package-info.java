/** What a package contains, and tests of what is made for Kubernetes. */
@NullMarked
package io.lapwing.packaging;

import org.jspecify.annotations.NullMarked;

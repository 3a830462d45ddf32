/** The content of packages, and tests of the files for Kubernetes. */
@NullMarked
package io.lapwing.packaging;

import org.jspecify.annotations.NullMarked;

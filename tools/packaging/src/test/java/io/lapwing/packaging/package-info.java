/** Tests of what is made for Kubernetes. */
@NullMarked
package io.lapwing.packaging;

import org.jspecify.annotations.NullMarked;

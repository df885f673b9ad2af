// As much of JUnit 5 as the exported tests use, so that they compile and run without it.
package org.junit.jupiter.api;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface TestFactory {}

// The part of JUnit 5 that the exported tests use, so that they compile and run without JUnit.
package org.junit.jupiter.api;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface TestFactory {}

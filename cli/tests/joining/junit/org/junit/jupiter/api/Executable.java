// The part of JUnit 5 that the exported tests use, so that they compile and run without JUnit.
package org.junit.jupiter.api;
@FunctionalInterface
public interface Executable { void execute() throws Throwable; }

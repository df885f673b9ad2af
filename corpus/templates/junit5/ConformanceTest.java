package tracegauge;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** One test for each case of cases/*.txt, named as the case is. */
class ConformanceTest {
    private static final Path CASES = Path.of(System.getProperty("tracegauge.cases", "cases"));

    @TestFactory
    List<DynamicTest> cases() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(CASES)) {
            for (Path list : files.filter(file -> file.toString().endsWith(".txt")).sorted().toList()) {
                for (String line : Files.readAllLines(list)) {
                    String[] fields = line.split("\t");
                    tests.add(DynamicTest.dynamicTest(fields[0], () -> check(fields)));
                }
            }
        }
        return tests;
    }

    private static void check(String[] fields) throws IOException {
        boolean counts = fields[2].equals("must") || System.getenv("TRACEGAUGE_STRICT") != null;
        assumeTrue(counts, "a recommendation; set TRACEGAUGE_STRICT to test it");
        String problem = Comparison.problem(CASES.resolve(fields[1]));
        if (problem != null) {
            fail(problem);
        }
    }
}

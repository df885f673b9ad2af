// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

/** The reader does not read this feature, which is not to say that the trace is wrong. */
class Unsupported extends Exception {
    private static final long serialVersionUID = 1;

    Unsupported(String feature) {
        super(feature);
    }
}

// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

/** Thrown if the reader does not support a feature. It does not mean that the trace is faulty. */
class Unsupported extends Exception {
    private static final long serialVersionUID = 1;

    Unsupported(String feature) {
        super(feature);
    }
}

// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

/** Thrown as long as {@code Reader} does not call a reader. */
class NoReader extends Exception {
    private static final long serialVersionUID = 1;

    NoReader() {
        super("call your reader in `read` of Reader.java; if its classes are not found, see pom.xml");
    }
}

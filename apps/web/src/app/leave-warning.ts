/**
 * Warns before the document is left while serial ports are open. Moving about inside the app leaves no document. The browser
 * words the question itself.
 */

/** Tells how many ports are open, and when that changes. */
export interface OpenPorts {
  subscribe(listener: () => void): () => void;
  count(): number;
}

/** Registers with the browser only while a port is open: a page with such a listener cannot be kept for the Back button. */
export function warnBeforeLeaving(ports: OpenPorts): void {
  let registered = false;
  const update = () => {
    const open = ports.count() > 0;
    if (open && !registered) {
      window.addEventListener('beforeunload', ask);
    } else if (!open && registered) {
      window.removeEventListener('beforeunload', ask);
    }
    registered = open;
  };
  ports.subscribe(update);
  update();
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

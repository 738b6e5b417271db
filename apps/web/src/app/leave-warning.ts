/**
 * Warns before the document is left while serial ports are open. Moving about inside the app leaves no document. The browser
 * words the question itself.
 */
import { headerState } from './header-state.ts';

/** Tells how many ports are open, and when that changes. */
export interface OpenPorts {
  subscribe(listener: () => void): () => void;
  count(): number;
}

/** Handlers that warn now, one for each caller. */
const warning = new Set<(event: BeforeUnloadEvent) => void>();

/** Registers with the browser only while a port is open: a page with such a listener cannot be kept for the Back button. */
export function warnBeforeLeaving(ports: OpenPorts): void {
  // One for each caller: what one of them no longer asks, another still may.
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  let registered = false;
  const update = () => {
    const open = ports.count() > 0;
    if (open && !registered) {
      window.addEventListener('beforeunload', ask);
      warning.add(ask);
    } else if (!open && registered) {
      window.removeEventListener('beforeunload', ask);
      warning.delete(ask);
    }
    registered = open;
    headerState.setState({ warns: warning.size > 0 });
  };
  ports.subscribe(update);
  update();
}

/** Returns true while leaving the document shows a warning, because a reload would lose something. */
export function useLeaveWarning(): boolean {
  return headerState.use(({ warns }) => warns);
}

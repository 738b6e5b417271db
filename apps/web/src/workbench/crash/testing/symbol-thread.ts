/**
 * Runs the worker for ELF files and core dumps in the thread of a test, because a simulated document has no workers.
 */
import { systemClock } from '@wirebench/clock';
import { SymbolStore } from '../../../worker/crash/symbol-store.ts';

/** End of a connection that passes objects without cloning, because files of a simulated document cannot be cloned. */
class End extends EventTarget {
  other: End | null = null;

  postMessage(message: unknown): void {
    queueMicrotask(() => this.other?.dispatchEvent(new MessageEvent('message', { data: message })));
  }

  terminate(): void {
    this.other = null;
  }
}

/** Replacement for `Worker`. */
export class SymbolThread extends End {
  constructor() {
    super();
    const inside = new End();
    inside.other = this;
    this.other = inside;
    new SymbolStore(inside as unknown as MessagePort, systemClock);
  }
}

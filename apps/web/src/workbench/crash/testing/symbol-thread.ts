/** The thread that reads ELF files and core dumps, in the thread of a test: a simulated document has no workers. */
import { systemClock } from '@wirebench/clock';
import { SymbolStore } from '../../../worker/crash/symbol-store.ts';

/** An end of a connection that hands over what it is given: files of a simulated document cannot be cloned. */
class End extends EventTarget {
  other: End | null = null;

  postMessage(message: unknown): void {
    queueMicrotask(() => this.other?.dispatchEvent(new MessageEvent('message', { data: message })));
  }

  terminate(): void {
    this.other = null;
  }
}

/** To be put in the place of `Worker`. */
export class SymbolThread extends End {
  constructor() {
    super();
    const inside = new End();
    inside.other = this;
    this.other = inside;
    new SymbolStore(inside as unknown as MessagePort, systemClock);
  }
}

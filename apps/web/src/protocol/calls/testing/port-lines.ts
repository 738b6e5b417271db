/** Channels between a page and its worker as browsers have them, for tests. */
export class PortLines {
  readonly #ends: MessagePort[] = [];

  open(): { page: MessagePort; worker: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    this.#ends.push(port1, port2);
    port1.start();
    port2.start();
    return { page: port1, worker: port2 };
  }

  /** Closes all lines that were opened. */
  close(): void {
    for (const end of this.#ends.splice(0)) {
      end.close();
    }
  }
}

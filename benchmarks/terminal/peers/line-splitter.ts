/** Splits bytes into lines for the peers that need lines. Runs in the browser. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** Returns the lines that end in `bytes`, without their line endings. */
  split(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\r\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}

/** Bytes to lines, as the peers that know lines need them. Runs in the browser. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** The lines that `bytes` ends, without their endings. */
  split(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\r\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}

/** Notices boards that show the prompt of MicroPython or CircuitPython below their banner. */

const prompt = '>>> ';
const banner = /^((?:MicroPython v|Adafruit CircuitPython )\d.*?)\s*$/;
/** Longest banner that is shown, in characters. */
const MAX_BANNER = 120;

export class BannerWatch {
  /** Last bytes of the previous chunks. */
  #end = '';

  /** Takes a chunk as received. Returns true if it ends with a prompt. Reads four bytes of it. */
  endsWithPrompt(bytes: Uint8Array): boolean {
    this.#end = (this.#end + String.fromCharCode(...bytes.subarray(-prompt.length))).slice(-prompt.length);
    return this.#end === prompt;
  }
}

/** Returns the newest banner among lines of a log, oldest first; null without one. */
export function bannerIn(lines: readonly string[]): string | null {
  const found = lines.map((line) => banner.exec(line)?.[1]).findLast((text) => text !== undefined);
  return found?.slice(0, MAX_BANNER) ?? null;
}

/**
 * The current line of a stream as a terminal shows it, in bounded memory. Its length is counted in what is drawn: marks
 * of a shell around its prompt, colours and text that was overwritten cost nothing.
 */
import { DrawnBytes } from './drawn-bytes.ts';
import { lineText, withoutColours } from './line-text.ts';
import { visibleBytes } from './visible-bytes.ts';

export class DrawnLine {
  readonly #max: number;
  #drawn = new DrawnBytes();
  /** Text of the line with what edits it: CR, BS and sequences. */
  #kept: number[] = [];
  /** True: the beginning of the line was dropped. */
  #isCut = false;

  /** @param max Most drawn bytes of the line. Of a longer line, its last ones are kept. */
  constructor(max: number) {
    this.#max = max;
  }

  /** True: more than `max` bytes of the line are drawn. */
  get isLong(): boolean {
    return this.#isCut || (this.#kept.length > this.#max && this.#visible().length > this.#max);
  }

  /** True: the line has no text, and nothing has edited it. */
  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /** True: nothing in the line overwrites text or moves the cursor. */
  get isPlain(): boolean {
    return !this.#kept.some((byte) => byte < 0x20 && byte !== 0x09);
  }

  /** Text without colours. */
  get text(): string {
    return withoutColours(lineText(Uint8Array.from(this.#kept), { open: true }));
  }

  /** Takes the next bytes of the line. They have no line feed. */
  take(bytes: Uint8Array): void {
    // Not spread: a large piece has more bytes than a call may have arguments.
    for (const byte of this.#drawn.take(bytes)) {
      this.#kept.push(byte);
    }
    if (this.#kept.length > 2 * this.#max) {
      this.#shorten();
    }
  }

  /** Begins the next line. A sequence that has not ended is dropped. */
  end(): void {
    this.#drawn = new DrawnBytes();
    this.#kept = [];
    this.#isCut = false;
  }

  #visible(): Uint8Array {
    return visibleBytes(Uint8Array.from(this.#kept));
  }

  #shorten(): void {
    const visible = this.#visible();
    this.#isCut ||= visible.length > this.#max;
    this.#kept = [...visible.subarray(-this.#max)];
  }
}

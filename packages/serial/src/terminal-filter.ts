/**
 * Keeps a board from acting on the terminal of a person, who sees its colours, cursor movement and erasing alone. Nothing
 * passes that a terminal answers, which would be typed into a shell, or that outlives the program: titles, the clipboard,
 * modes, character sets, palettes, links, printing. Sources: ECMA-48, section 8.3; xterm's "Control Sequences".
 *
 * A control function of 8 bits (C1), alone or encoded as UTF-8, becomes U+FFFD. It begins nothing, so noise at a wrong
 * rate swallows no text.
 */
import { ByteList } from './byte-list.ts';
import { ControlReader, MAX_HELD } from './control-reader.ts';
import { CARRIAGE_RETURN, ESCAPE, LINE_FEED } from './control-sequences.ts';
import { sequenceLength, unfinishedLength } from './visible-utf8.ts';

/**
 * Display of a CR that no LF follows. `lf`: it returns to the margin. `cr`: it ends the line. `auto`: it ends the line as
 * long as the board has sent no LF.
 */
export type ShownReturns = 'auto' | 'cr' | 'lf';

const encoder = new TextEncoder();
const REPLACEMENT = encoder.encode('\ufffd');
const NEW_LINE = encoder.encode('\r\n');
/** Attributes, cursor, and the scrolling region, which moves the cursor. */
const RESETS = { attributes: '\x1b[0m', cursor: '\x1b[?25h', region: '\x1b7\x1b[r\x1b8' } as const;

/** BEL, BS, TAB, LF, VT, FF and CR. The others answer (ENQ), shift character sets (SO, SI) or are not drawn. */
const isHarmless = (byte: number) => byte >= 0x07 && byte <= 0x0d;
/** Functions by their text behind ESC [: movement, insertion and deletion. `3J` would erase the scrollback. */
const edits = /^(?:[\d;]*[@A-ILMPXZ`abdef]|\d*[ST]|[012]?[JK]|[su])$/;
const colours = /^[\d:;]*m$/;
const colourReset = /^0*m$/;
const region = /^[\d;]*r$/;
const cursor = /^\?25[hl]$/;
/** Behind ESC: save and restore the cursor, index, next line, reverse index. */
const escapes = /^[78DEM]$/;
/** Most bytes of a control function or string without an end that are dropped. */
const LONGEST = 65_536;
/** Most repetitions of a character. A terminal draws each. */
const MAX_REPEATS = 1_024;

export class TerminalFilter {
  readonly #returns: ShownReturns;
  readonly #reader = new ControlReader(
    {
      text: (byte, out) => this.#text(byte, out),
      sequence: (sequence, out) => this.#sequence(sequence, out),
      escape: (sequence, out) => {
        if (escapes.test(textFrom(sequence, 1))) {
          out.pushAll(sequence, 0, sequence.length);
        }
      },
      stray: () => undefined,
    },
    LONGEST,
  );
  /** Bytes of a character that has not ended. */
  #character: number[] = [];
  /** True: the last byte was a CR, which was not printed yet. */
  #isReturned = false;
  #hasLineFeed = false;
  readonly #left = new Set<keyof typeof RESETS>();

  constructor(returns: ShownReturns) {
    this.#returns = returns;
  }

  /** Takes the next piece of the stream. Returns the bytes for the terminal, in their order. */
  take(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new ByteList(bytes.length + MAX_HELD);
    for (const byte of bytes) {
      if (this.#character.length > 0 && byte < 0x80) {
        this.#endCharacter(out);
      }
      if (byte === ESCAPE) {
        this.#endReturn(out, byte);
      }
      this.#reader.take(byte, out);
    }
    return out.take(out.length);
  }

  /** Returns the bytes that end what the board has left on: colours, a hidden cursor, a scrolling region. */
  end(): Uint8Array<ArrayBuffer> {
    const out = new ByteList(MAX_HELD);
    this.#endCharacter(out);
    this.#endReturn(out, null);
    const resets = encoder.encode([...this.#left].map((name) => RESETS[name]).join(''));
    out.pushAll(resets, 0, resets.length);
    this.#left.clear();
    return out.take(out.length);
  }

  #text(byte: number, out: ByteList): void {
    this.#endReturn(out, byte);
    if (byte >= 0x80) {
      this.#character.push(byte);
      this.#takeCharacters(out, false);
    } else if (byte === CARRIAGE_RETURN) {
      this.#isReturned = true;
    } else if (byte >= 0x20 ? byte !== 0x7f : isHarmless(byte)) {
      this.#hasLineFeed ||= byte === LINE_FEED;
      out.push(byte);
    }
  }

  /** Prints the CR that was held. @param next Byte behind it; null at the end. */
  #endReturn(out: ByteList, next: number | null): void {
    if (!this.#isReturned) {
      return;
    }
    this.#isReturned = false;
    const endsLine = this.#returns === 'cr' || (this.#returns === 'auto' && !this.#hasLineFeed);
    if (endsLine && next !== null && next !== LINE_FEED && next !== CARRIAGE_RETURN) {
      out.pushAll(NEW_LINE, 0, NEW_LINE.length);
    } else {
      out.push(CARRIAGE_RETURN);
    }
  }

  #endCharacter(out: ByteList): void {
    this.#takeCharacters(out, true);
  }

  /** @param isOver True: the next byte belongs to no character. */
  #takeCharacters(out: ByteList, isOver: boolean): void {
    while (this.#character.length > 0) {
      const bytes = Uint8Array.from(this.#character);
      const length = sequenceLength(bytes, 0);
      if (length === 0 && !isOver && unfinishedLength(bytes) === bytes.length) {
        return;
      }
      const taken = Math.max(1, length);
      const [first = 0, second = 0] = bytes;
      const isControl = length === 2 ? first === 0xc2 && second < 0xa0 : length === 0 && first < 0xa0;
      const kept = isControl ? REPLACEMENT : bytes.subarray(0, taken);
      out.pushAll(kept, 0, kept.length);
      this.#character = this.#character.slice(taken);
    }
  }

  #sequence(sequence: Uint8Array, out: ByteList): void {
    const text = textFrom(sequence, 2);
    if (colours.test(text)) {
      this.#leave('attributes', !colourReset.test(text));
    } else if (region.test(text)) {
      this.#leave('region', text !== 'r');
    } else if (cursor.test(text)) {
      this.#leave('cursor', text.endsWith('l'));
    } else if (!edits.test(text) || (text.endsWith('b') && Number.parseInt(text, 10) > MAX_REPEATS)) {
      return;
    }
    out.pushAll(sequence, 0, sequence.length);
  }

  #leave(name: keyof typeof RESETS, isOn: boolean): void {
    if (isOn) {
      this.#left.add(name);
    } else {
      this.#left.delete(name);
    }
  }
}

const textFrom = (sequence: Uint8Array, from: number): string => String.fromCharCode(...sequence.subarray(from));

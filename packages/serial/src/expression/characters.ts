/**
 * Classes of characters that an expression treats alike. The browser's own engine decides whether an atom allows a
 * character; in a single character it has nothing to backtrack over. Classes, properties and case are therefore
 * exactly those of JavaScript.
 */

export interface CharacterClass {
  /** For each atom: true if it allows these characters. */
  readonly allowed: readonly boolean[];
  /** True: the characters are part of a word, for `\b`. */
  readonly word: boolean;
}

/** Most characters beyond ASCII whose classes are cached. */
const MAX_REMEMBERED = 1 << 16;

export class Characters {
  readonly classes: CharacterClass[] = [];
  /** Class of each ASCII character. */
  readonly ascii: Uint16Array;
  readonly #tests: readonly RegExp[];
  readonly #word: RegExp;
  readonly #numbers = new Map<string, number>();
  readonly #others = new Map<number, number>();

  /**
   * @param atoms Sources of expressions for one character.
   * @param flags Flags of the whole expression: `i`, `s` and `u`. With `u` a character is a code point, else a UTF-16
   *   unit.
   */
  constructor(atoms: readonly string[], flags: string) {
    this.#tests = atoms.map((atom) => new RegExp(`^${atom}$`, flags));
    this.#word = new RegExp('^\\w$', flags);
    this.ascii = Uint16Array.from({ length: 128 }, (_, code) => this.#find(code));
  }

  classOf(code: number): number {
    if (code < 128) {
      return this.ascii[code] as number;
    }
    let number = this.#others.get(code);
    if (number === undefined) {
      number = this.#find(code);
      if (this.#others.size >= MAX_REMEMBERED) {
        this.#others.clear();
      }
      this.#others.set(code, number);
    }
    return number;
  }

  #find(code: number): number {
    const character = String.fromCodePoint(code);
    const allowed = this.#tests.map((test) => test.test(character));
    const word = this.#word.test(character);
    const key = [...allowed, word].map(Number).join('');
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.classes.push({ allowed, word }) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

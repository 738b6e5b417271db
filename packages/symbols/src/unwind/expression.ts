/**
 * Computes DWARF expressions (DWARF 5, section 2.5) on the registers and the memory of a frame, in 32 bits. Every step costs, so that damage ends: no
 * expression of a compiler comes near the limit.
 */
import { ByteCursor } from '../byte-cursor.ts';

export interface ExpressionContext {
  readonly register: (number: number) => number | undefined;
  /** Little-endian, of `size` bytes. */
  readonly memory: (address: number, size: number) => number | undefined;
  readonly cfa?: number;
  readonly frameBase?: () => Place | undefined;
}

/** Where something is, or what it is. */
export type Place =
  | { readonly kind: 'address'; readonly address: number }
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'value'; readonly value: number };

const MOST_STEPS = 10_000;
const MOST_DEPTH = 256;

/**
 * Undefined where a register or memory that it needs is not known, and for pieces and operations that only other programs understand.
 * Throws a `RangeError` when the expression is damaged.
 */
export function evaluate(
  expression: Uint8Array,
  context: ExpressionContext,
  initial: readonly number[] = [],
): Place | undefined {
  const machine = new Machine(expression, context, initial);
  return machine.run();
}

/** The number that an expression of a call frame leaves: an address. */
export function evaluateAddress(
  expression: Uint8Array,
  context: ExpressionContext,
  initial: readonly number[] = [],
): number | undefined {
  const place = evaluate(expression, context, initial);
  return place?.kind === 'address' ? place.address : place?.kind === 'value' ? place.value : undefined;
}

class Machine {
  readonly #cursor: ByteCursor;
  readonly #context: ExpressionContext;
  readonly #stack: number[];
  #isValue = false;

  constructor(expression: Uint8Array, context: ExpressionContext, initial: readonly number[]) {
    this.#cursor = new ByteCursor(expression, true);
    this.#context = context;
    this.#stack = [...initial];
  }

  run(): Place | undefined {
    const cursor = this.#cursor;
    for (let steps = 0; !cursor.atEnd; steps++) {
      if (steps > MOST_STEPS) {
        throw new RangeError('An expression without an end');
      }
      const code = cursor.u8();
      if (code >= 0x50 && code <= 0x6f) {
        return this.#inRegister(code - 0x50);
      }
      if (code === 0x90) {
        return this.#inRegister(cursor.uleb());
      }
      if (!this.#step(code)) {
        return undefined;
      }
    }
    const value = this.#stack.at(-1);
    if (value === undefined) {
      return undefined;
    }
    return this.#isValue ? { kind: 'value', value: value >>> 0 } : { kind: 'address', address: value >>> 0 };
  }

  /** The whole place is a register; with pieces behind it, part of it is, which is not told. */
  #inRegister(register: number): Place | undefined {
    return this.#cursor.atEnd ? { kind: 'register', register } : undefined;
  }

  #push(value: number | undefined): boolean {
    if (value === undefined) {
      return false;
    }
    if (this.#stack.length === MOST_DEPTH) {
      throw new RangeError('The stack of an expression is full');
    }
    this.#stack.push(value | 0);
    return true;
  }

  #pop(): number {
    const value = this.#stack.pop();
    if (value === undefined) {
      throw new RangeError('The stack of an expression is empty');
    }
    return value;
  }

  #pick(depth: number): number {
    const value = this.#stack.at(-1 - depth);
    if (value === undefined) {
      throw new RangeError('The stack of an expression is not that deep');
    }
    return value;
  }

  #binary(compute: (left: number, right: number) => number): boolean {
    const right = this.#pop();
    const left = this.#pop();
    return this.#push(compute(left, right));
  }

  /** False where it cannot be known. */
  #step(code: number): boolean {
    const cursor = this.#cursor;
    const { register, memory, cfa, frameBase } = this.#context;
    if (code >= 0x30 && code <= 0x4f) {
      return this.#push(code - 0x30);
    }
    if (code >= 0x70 && code <= 0x8f) {
      const offset = cursor.sleb();
      return this.#push(sum(register(code - 0x70), offset));
    }
    switch (code) {
      case 0x03:
        return this.#push(cursor.u32());
      case 0x06:
        return this.#push(memory(this.#pop() >>> 0, 4));
      case 0x08:
        return this.#push(cursor.u8());
      case 0x09:
        return this.#push(cursor.i8());
      case 0x0a:
        return this.#push(cursor.u16());
      case 0x0b:
        return this.#push((cursor.u16() << 16) >> 16);
      case 0x0c:
      case 0x0d:
        return this.#push(cursor.u32());
      case 0x10:
        return this.#push(cursor.uleb());
      case 0x11:
        return this.#push(cursor.sleb());
      case 0x12:
        return this.#push(this.#pick(0));
      case 0x13:
        this.#pop();
        return true;
      case 0x14:
        return this.#push(this.#pick(1));
      case 0x15:
        return this.#push(this.#pick(cursor.u8()));
      case 0x16: {
        const [top, next] = [this.#pop(), this.#pop()];
        return this.#push(top) && this.#push(next);
      }
      case 0x17: {
        const [top, next, last] = [this.#pop(), this.#pop(), this.#pop()];
        return this.#push(top) && this.#push(last) && this.#push(next);
      }
      case 0x19:
        return this.#push(Math.abs(this.#pop()));
      case 0x1a:
        return this.#binary((left, right) => left & right);
      case 0x1b: {
        const right = this.#pop();
        const left = this.#pop();
        return right !== 0 && this.#push(Math.trunc(left / right));
      }
      case 0x1c:
        return this.#binary((left, right) => left - right);
      case 0x1d: {
        const right = this.#pop() >>> 0;
        const left = this.#pop() >>> 0;
        return right !== 0 && this.#push(left % right);
      }
      case 0x1e:
        return this.#binary(Math.imul);
      case 0x1f:
        return this.#push(-this.#pop());
      case 0x20:
        return this.#push(~this.#pop());
      case 0x21:
        return this.#binary((left, right) => left | right);
      case 0x22:
        return this.#binary((left, right) => left + right);
      case 0x23: {
        const right = cursor.uleb();
        return this.#push(this.#pop() + right);
      }
      case 0x24:
        return this.#binary((left, right) => (right >>> 0 > 31 ? 0 : left << right));
      case 0x25:
        return this.#binary((left, right) => (right >>> 0 > 31 ? 0 : left >>> right));
      case 0x26:
        return this.#binary((left, right) => left >> Math.min(31, right >>> 0));
      case 0x27:
        return this.#binary((left, right) => left ^ right);
      case 0x28: {
        const distance = (cursor.u16() << 16) >> 16;
        return this.#pop() === 0 || this.#jump(distance);
      }
      case 0x29:
        return this.#binary((left, right) => Number(left === right));
      case 0x2a:
        return this.#binary((left, right) => Number(left >= right));
      case 0x2b:
        return this.#binary((left, right) => Number(left > right));
      case 0x2c:
        return this.#binary((left, right) => Number(left <= right));
      case 0x2d:
        return this.#binary((left, right) => Number(left < right));
      case 0x2e:
        return this.#binary((left, right) => Number(left !== right));
      case 0x2f:
        return this.#jump((cursor.u16() << 16) >> 16);
      case 0x91: {
        const offset = cursor.sleb();
        const base = frameBase?.();
        const address =
          base?.kind === 'register' ? register(base.register) : base?.kind === 'address' ? base.address : undefined;
        return this.#push(sum(address, offset));
      }
      case 0x92: {
        const [number, offset] = [cursor.uleb(), cursor.sleb()];
        return this.#push(sum(register(number), offset));
      }
      case 0x94: {
        const size = cursor.u8();
        return this.#push(memory(this.#pop() >>> 0, size));
      }
      case 0x96:
        return true;
      case 0x9c:
        return this.#push(cfa);
      case 0x9f:
        this.#isValue = true;
        // Nothing may follow but pieces, which are not told.
        return cursor.atEnd;
      default:
        return false;
    }
  }

  #jump(distance: number): boolean {
    const target = this.#cursor.position + distance;
    if (target < 0 || target > this.#cursor.bytes.length) {
      throw new RangeError('A jump out of an expression');
    }
    this.#cursor.position = target;
    return true;
  }
}

function sum(value: number | undefined, offset: number): number | undefined {
  return value === undefined ? undefined : (value + offset) | 0;
}

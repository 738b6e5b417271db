/**
 * Evaluates DWARF expressions (DWARF 5, section 2.5) with the registers and the memory of a frame, in 32 bits. Steps
 * are limited, so that damaged expressions terminate; no expression of a compiler comes near the limit.
 */
import { ByteCursor } from '../byte-cursor.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { operation } from '../dwarf/constants.ts';

export interface ExpressionContext {
  readonly register: (number: number) => number | undefined;
  /** Reads a little-endian number of `size` bytes; undefined if the memory is missing. */
  readonly memory: (address: number, size: number) => number | undefined;
  readonly cfa?: number | undefined;
  readonly frameBase?: () => Place;
  /** Returns an address from the unit's part of `.debug_addr`. */
  readonly addressAt?: (index: number) => number;
}

/**
 * Reason for an unknown value:
 * - `optimised`: the compiler does not store it
 * - `register`: it was in a register whose value is lost
 * - `memory`: the dump lacks the memory
 * - `entry-value`: it was in a register at the call of the function, whose value is lost
 * - `pointer`: it points to an object that the compiler does not store
 * - `operation`: unsupported operation
 * - `damaged`: its debug information is damaged
 */
export type Unknown = 'optimised' | 'register' | 'memory' | 'entry-value' | 'pointer' | 'operation' | 'damaged';

/** Location of an object, or its value. */
export type Place =
  | { readonly kind: 'address'; readonly address: number }
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Consecutive parts; `size` is in bytes. */
  | { readonly kind: 'pieces'; readonly pieces: readonly { readonly size: number; readonly place: Place }[] }
  | { readonly kind: 'unknown'; readonly why: Unknown };

/** @param registers by DWARF number */
export function contextOf(registers: readonly (number | undefined)[], memory: CoreMemory): ExpressionContext {
  return {
    register: (number) => registers[number],
    memory: (address, size) => {
      const bytes = memory.read(address, size);
      return bytes?.reduceRight((value, byte) => ((value << 8) | byte) >>> 0, 0);
    },
  };
}

const MAX_STEPS = 10_000;
const MAX_DEPTH = 256;

/**
 * Evaluates an expression, with `initial` as its initial stack.
 * @throws RangeError if the expression is damaged.
 */
export function evaluate(expression: Uint8Array, context: ExpressionContext, initial: readonly number[] = []): Place {
  const machine = new Machine(expression, context, initial);
  return machine.run();
}

/**
 * Evaluates an expression of a call frame and returns its result, an address; undefined if unknown.
 * @throws RangeError if the expression is damaged.
 */
export function evaluateAddress(
  expression: Uint8Array,
  context: ExpressionContext,
  initial: readonly number[] = [],
): number | undefined {
  const place = evaluate(expression, context, initial);
  return place.kind === 'address' ? place.address : place.kind === 'value' ? place.value : undefined;
}

class Machine {
  readonly #cursor: ByteCursor;
  readonly #context: ExpressionContext;
  #stack: number[];
  /** A location that is not an address; only a piece operation may follow. */
  #found: Place | undefined;
  #why: Unknown = 'operation';

  constructor(expression: Uint8Array, context: ExpressionContext, initial: readonly number[]) {
    this.#cursor = new ByteCursor(expression, true);
    this.#context = context;
    this.#stack = [...initial];
  }

  run(): Place {
    const cursor = this.#cursor;
    const pieces: { size: number; place: Place }[] = [];
    for (let steps = 0; !cursor.atEnd; steps++) {
      if (steps > MAX_STEPS) {
        throw new RangeError('An expression without an end');
      }
      const code = cursor.u8();
      if (code === operation.piece) {
        pieces.push({ size: cursor.uleb(), place: this.#place() });
        this.#stack = [];
        this.#found = undefined;
      } else if (this.#found !== undefined) {
        return { kind: 'unknown', why: 'operation' };
      } else if (!this.#locate(code) && !this.#step(code)) {
        return { kind: 'unknown', why: this.#why };
      }
    }
    if (pieces.length === 0) {
      return this.#place();
    }
    const isCutOff = this.#found !== undefined || this.#stack.length > 0;
    return isCutOff ? { kind: 'unknown', why: 'operation' } : { kind: 'pieces', pieces };
  }

  /** Returns the location computed since the last piece. */
  #place(): Place {
    const address = this.#stack.at(-1);
    return (
      this.#found ??
      (address === undefined ? { kind: 'unknown', why: 'optimised' } : { kind: 'address', address: address >>> 0 })
    );
  }

  /** Handles operations for objects outside memory. Returns false for any other operation. */
  #locate(code: number): boolean {
    const cursor = this.#cursor;
    const isConst8 = code === operation.const8u || code === operation.const8s;
    if (code >= operation.reg0 && code <= operation.reg31) {
      this.#found = { kind: 'register', register: code - operation.reg0 };
    } else if (code === operation.regx) {
      this.#found = { kind: 'register', register: cursor.uleb() };
    } else if (code === operation.implicitValue) {
      const size = cursor.uleb();
      const start = cursor.position;
      cursor.advance(size);
      this.#found = { kind: 'bytes', bytes: cursor.bytes.subarray(start, cursor.position) };
    } else if (isConst8 && cursor.bytes[cursor.position + 8] === operation.stackValue) {
      // Keeps the bytes of a 64-bit constant, because the stack holds 32-bit numbers.
      this.#found = { kind: 'bytes', bytes: cursor.bytes.subarray(cursor.position, cursor.position + 8) };
      cursor.advance(9);
    } else if (code === operation.stackValue) {
      this.#found = { kind: 'value', value: this.#pop() >>> 0 };
    }
    return this.#found !== undefined;
  }

  #unknown(why: Unknown): false {
    this.#why = why;
    return false;
  }

  #push(value: number | undefined, why: Unknown = 'register'): boolean {
    if (value === undefined) {
      return this.#unknown(why);
    }
    if (this.#stack.length === MAX_DEPTH) {
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

  /** Executes one operation; returns false if its result is unknown. */
  #step(code: number): boolean {
    const cursor = this.#cursor;
    const { register, memory, cfa, frameBase, addressAt } = this.#context;
    if (code >= operation.lit0 && code <= operation.lit31) {
      return this.#push(code - operation.lit0);
    }
    if (code >= operation.breg0 && code <= operation.breg31) {
      const offset = cursor.sleb();
      return this.#push(sum(register(code - operation.breg0), offset));
    }
    switch (code) {
      case operation.addr:
        return this.#push(cursor.u32());
      case operation.deref:
        return this.#push(memory(this.#pop() >>> 0, 4), 'memory');
      case operation.const1u:
        return this.#push(cursor.u8());
      case operation.const1s:
        return this.#push(cursor.i8());
      case operation.const2u:
        return this.#push(cursor.u16());
      case operation.const2s:
        return this.#push((cursor.u16() << 16) >> 16);
      case operation.const4u:
      case operation.const4s:
        return this.#push(cursor.u32());
      case operation.constu:
        return this.#push(cursor.uleb());
      case operation.consts:
        return this.#push(cursor.sleb());
      case operation.dup:
        return this.#push(this.#pick(0));
      case operation.drop:
        this.#pop();
        return true;
      case operation.over:
        return this.#push(this.#pick(1));
      case operation.pick:
        return this.#push(this.#pick(cursor.u8()));
      case operation.swap: {
        const [top, next] = [this.#pop(), this.#pop()];
        return this.#push(top) && this.#push(next);
      }
      case operation.rot: {
        const [top, next, last] = [this.#pop(), this.#pop(), this.#pop()];
        return this.#push(top) && this.#push(last) && this.#push(next);
      }
      case operation.abs:
        return this.#push(Math.abs(this.#pop()));
      case operation.and:
        return this.#binary((left, right) => left & right);
      case operation.div: {
        const right = this.#pop();
        const left = this.#pop();
        return right === 0 ? this.#unknown('damaged') : this.#push(Math.trunc(left / right));
      }
      case operation.minus:
        return this.#binary((left, right) => left - right);
      case operation.mod: {
        const right = this.#pop() >>> 0;
        const left = this.#pop() >>> 0;
        return right === 0 ? this.#unknown('damaged') : this.#push(left % right);
      }
      case operation.mul:
        return this.#binary(Math.imul);
      case operation.neg:
        return this.#push(-this.#pop());
      case operation.not:
        return this.#push(~this.#pop());
      case operation.or:
        return this.#binary((left, right) => left | right);
      case operation.plus:
        return this.#binary((left, right) => left + right);
      case operation.plusUconst: {
        const right = cursor.uleb();
        return this.#push(this.#pop() + right);
      }
      case operation.shl:
        return this.#binary((left, right) => (right >>> 0 > 31 ? 0 : left << right));
      case operation.shr:
        return this.#binary((left, right) => (right >>> 0 > 31 ? 0 : left >>> right));
      case operation.shra:
        return this.#binary((left, right) => left >> Math.min(31, right >>> 0));
      case operation.xor:
        return this.#binary((left, right) => left ^ right);
      case operation.bra: {
        const distance = (cursor.u16() << 16) >> 16;
        return this.#pop() === 0 || this.#jump(distance);
      }
      case operation.eq:
        return this.#binary((left, right) => Number(left === right));
      case operation.ge:
        return this.#binary((left, right) => Number(left >= right));
      case operation.gt:
        return this.#binary((left, right) => Number(left > right));
      case operation.le:
        return this.#binary((left, right) => Number(left <= right));
      case operation.lt:
        return this.#binary((left, right) => Number(left < right));
      case operation.ne:
        return this.#binary((left, right) => Number(left !== right));
      case operation.skip:
        return this.#jump((cursor.u16() << 16) >> 16);
      case operation.fbreg: {
        const offset = cursor.sleb();
        const base = frameBase?.();
        if (base?.kind === 'unknown') {
          return this.#unknown(base.why);
        }
        const address =
          base?.kind === 'register' ? register(base.register) : base?.kind === 'address' ? base.address : undefined;
        return this.#push(sum(address, offset));
      }
      case operation.bregx: {
        const [number, offset] = [cursor.uleb(), cursor.sleb()];
        return this.#push(sum(register(number), offset));
      }
      case operation.derefSize: {
        const size = cursor.u8();
        return this.#push(memory(this.#pop() >>> 0, size), 'memory');
      }
      case operation.nop:
        return true;
      case operation.callFrameCfa:
        return this.#push(cfa);
      case operation.implicitPointer:
      case operation.gnuImplicitPointer:
        return this.#unknown('pointer');
      case operation.addrx: {
        const index = cursor.uleb();
        return addressAt === undefined ? this.#unknown('operation') : this.#push(addressAt(index));
      }
      case operation.entryValue:
      case operation.gnuEntryValue:
      // A parameter that the compiler removed, known only to the caller.
      case operation.gnuParameterRef:
        return this.#unknown('entry-value');
      default:
        return this.#unknown('operation');
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

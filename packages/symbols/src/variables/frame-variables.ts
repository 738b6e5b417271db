/**
 * Reads parameters and local variables of a frame: those of its function and of the blocks around the instruction.
 * Values come from the debug information (DWARF 5, sections 2.6, 3.3 and 4.1). An unknown value has a reason and is
 * never guessed.
 */
import type { CoreMemory } from '../core/core-memory.ts';
import { attribute, tag } from '../dwarf/constants.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { DebugEntries, FoundEntry, FoundValue } from '../dwarf/debug-entries.ts';
import type { DynamicCount, TypeReader, TypeReference } from '../dwarf/types.ts';
import { contextOf, type ExpressionContext, evaluate, type Place, type Unknown } from '../unwind/expression.ts';
import type { StackFrame } from '../unwind/stack-frame.ts';
import { memoryAt, type Storage, storageOf } from './storage.ts';
import { sizeOf, type ValueContext, valueText } from './value-text.ts';

export interface FrameVariable {
  readonly name: string;
  /** Type in C syntax. */
  readonly type: string;
  readonly isParameter: boolean;
  /** Value in GDB's format; null if unknown. */
  readonly value: string | null;
  /** Reason for an unknown value; null for a known one. */
  readonly unknown: Unknown | null;
  readonly place: VariablePlace | null;
}

/** Location: a register by its DWARF number, memory, several of these, or only the debug information. */
type VariablePlace =
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'memory'; readonly address: number }
  | { readonly kind: 'pieces' }
  | { readonly kind: 'constant' };

/** Data of the crashed program that reading variables needs. */
export interface VariableProgram {
  readonly entries: DebugEntries;
  readonly types: TypeReader;
  /** Returns the function or variable at an address, such as `buffer+4`. */
  readonly symbolAt: (address: number) => string | undefined;
}

/** Maximum number of variables of one function; hand-written functions have fewer. */
const MAX_VARIABLES = 200;
/** Maximum number of nested blocks. */
const MAX_DEPTH = 64;

/**
 * Returns the parameters and variables of each of `functions`: parameters first, in the order of the source.
 * @param functions entries of the called function and of the calls inlined into it, the innermost first
 */
export function frameVariables(
  program: VariableProgram,
  functions: readonly number[],
  frame: StackFrame,
  memory: CoreMemory,
): FrameVariable[][] {
  const outermost = functions.at(-1);
  const reader = new FrameReader(program, frame, memory, outermost ?? null);
  return functions.map((entry) => unlessDamaged(() => reader.variablesOf(entry), []));
}

/** Maximum nesting of a type; deeper types are damaged or unreadable. */
const MAX_NESTING = 16;

/** Formats types in C and C++ syntax without a variable name: `const char *`, `int [4]`, `void (*)(int)`. */
function typeName(types: TypeReader, reference: TypeReference): string {
  return unlessDamaged(() => declared(types, reference, '', 0), '?');
}

/**
 * Returns a declaration.
 * @param inner text in the position of the variable's name
 */
function declared(types: TypeReader, reference: TypeReference, inner: string, depth: number): string {
  const named = (name: string) => (inner === '' ? name : `${name} ${inner}`);
  if (reference === null) {
    return named('void');
  }
  if (depth > MAX_NESTING) {
    return named('…');
  }
  const type = types.read(reference);
  const around = (target: TypeReference, text: string) => declared(types, target, text, depth + 1);
  switch (type.kind) {
    case 'pointer': {
      const kind = type.target === null ? undefined : types.read(type.target).kind;
      const marked = type.mark + inner;
      return around(type.target, kind === 'array' || kind === 'function' ? `(${marked})` : marked);
    }
    case 'qualified': {
      const isPointer = type.target !== null && types.read(type.target).kind === 'pointer';
      return isPointer
        ? around(type.target, inner === '' ? ` ${type.word}` : ` ${type.word} ${inner}`)
        : `${type.word} ${around(type.target, inner)}`;
    }
    case 'array': {
      const counts = type.counts.map((count) => `[${typeof count === 'number' ? count : ''}]`).join('');
      return around(type.element, inner + counts);
    }
    case 'function': {
      const parameters = type.parameters.map((parameter) => around(parameter, ''));
      return around(type.result, `${inner}(${parameters.length === 0 ? 'void' : parameters.join(', ')})`);
    }
    default:
      return named(type.name);
  }
}

class FrameReader {
  readonly #program: VariableProgram;
  readonly #frame: StackFrame;
  readonly #memory: CoreMemory;
  readonly #expressions: ExpressionContext;
  readonly #values: ValueContext;

  constructor(program: VariableProgram, frame: StackFrame, memory: CoreMemory, outermost: number | null) {
    this.#program = program;
    this.#frame = frame;
    this.#memory = memory;
    const context = { ...contextOf(frame.registers, memory), cfa: frame.frameEnd ?? undefined };
    this.#expressions = { ...context, frameBase: () => this.#frameBase(outermost, context) };
    this.#values = {
      types: program.types,
      at: (address) => memoryAt(memory, address),
      symbolAt: program.symbolAt,
      count: (dimension) => this.#count(dimension),
    };
  }

  variablesOf(offset: number): FrameVariable[] {
    const found: FoundEntry[] = [];
    this.#collect(this.#program.entries.at(offset), found, 0);
    const shown = found.flatMap((entry) => this.#variable(entry));
    return [...shown.filter(({ isParameter }) => isParameter), ...shown.filter(({ isParameter }) => !isParameter)];
  }

  /** Collects the variables of a function or block, and of its nested blocks that contain the instruction. */
  #collect(entry: FoundEntry, found: FoundEntry[], depth: number): void {
    const { entries } = this.#program;
    const children = entries.childrenOf(entry);
    for (const child of children) {
      if (found.length === MAX_VARIABLES || depth === MAX_DEPTH) {
        return;
      }
      if (child.tag === tag.formalParameter || child.tag === tag.variable) {
        found.push(child);
      } else if (child.tag === tag.lexicalBlock && this.#holds(child)) {
        this.#collect(child, found, depth + 1);
      }
    }
    // Adds variables of the source function that the compiler removed from this copy.
    const origin = entries.referred(entry, attribute.abstractOrigin);
    if (origin !== undefined) {
      const known = new Set(
        children.flatMap(({ unit, values }) => {
          const value = values.get(attribute.abstractOrigin);
          const reference = value && unit.reference(value);
          return reference === undefined ? [] : [reference];
        }),
      );
      this.#collectLeftOut(origin, known, found, depth);
    }
  }

  #collectLeftOut(origin: FoundEntry, known: ReadonlySet<number>, found: FoundEntry[], depth: number): void {
    for (const child of this.#program.entries.childrenOf(origin)) {
      if (found.length === MAX_VARIABLES || depth === MAX_DEPTH) {
        return;
      }
      if (!known.has(child.offset)) {
        if (child.tag === tag.formalParameter || child.tag === tag.variable) {
          found.push(child);
        } else if (child.tag === tag.lexicalBlock) {
          this.#collectLeftOut(child, known, found, depth + 1);
        }
      }
    }
  }

  /**
   * Returns true if the block contains the instruction, or has no code of its own and belongs to the enclosing block.
   */
  #holds({ unit, values }: FoundEntry): boolean {
    const [low, high, ranges] = [attribute.lowPc, attribute.highPc, attribute.ranges].map((name) => values.get(name));
    const code = unit.rangesOf(low, high, ranges);
    return (
      (low === undefined && ranges === undefined) ||
      code.some((range) => this.#pc >= range.low && this.#pc < range.high)
    );
  }

  get #pc(): number {
    return this.#frame.lookedUp;
  }

  #frameBase(function_: number | null, context: ExpressionContext): Place {
    const entry = function_ === null ? undefined : this.#program.entries.at(function_);
    const found = entry && this.#program.entries.find(entry, attribute.frameBase);
    return found === undefined ? { kind: 'unknown', why: 'damaged' } : this.#place(found, context);
  }

  #place({ unit, value }: FoundValue, context: ExpressionContext = this.#expressions): Place {
    const expression = unit.expressionAt(value, this.#pc);
    return expression === undefined
      ? { kind: 'unknown', why: 'optimised' }
      : evaluate(expression, { ...context, addressAt: (index) => unit.addressAt(index) });
  }

  #variable(entry: FoundEntry): FrameVariable[] {
    const { entries, types } = this.#program;
    const name = entries.nameOf(entry);
    const isDeclaration = entry.values.has(attribute.declaration);
    if (name === undefined || isDeclaration) {
      return [];
    }
    const type = unlessDamaged(() => entries.target(entry, attribute.type), undefined) ?? null;
    const place = unlessDamaged(() => this.#placeOf(entry), { kind: 'unknown', why: 'damaged' } as const);
    const { value, unknown } = unlessDamaged(() => this.#valueOf(type, place), {
      value: null,
      unknown: 'damaged',
    } as const);
    return [
      {
        name,
        type: type === null ? '?' : typeName(types, type),
        isParameter: entry.tag === tag.formalParameter,
        value,
        unknown,
        place: value === null ? null : shownPlace(place),
      },
    ];
  }

  #placeOf(entry: FoundEntry): Place {
    const { entries } = this.#program;
    const location = entries.find(entry, attribute.location);
    if (location !== undefined) {
      return this.#place(location);
    }
    const constant = entries.find(entry, attribute.constValue);
    return constant === undefined ? { kind: 'unknown', why: 'optimised' } : constantPlace(constant);
  }

  #valueOf(type: number | null, place: Place): { value: string | null; unknown: Unknown | null } {
    if (place.kind === 'unknown') {
      return { value: null, unknown: place.why };
    }
    const size = type === null ? null : sizeOf(this.#values, type);
    if (size === null) {
      // The start of an array is still useful if its length was optimised away.
      const isArray = type !== null && this.#values.types.plain(type)?.kind === 'array';
      return isArray && place.kind === 'address'
        ? { value: `0x${place.address.toString(16)}`, unknown: null }
        : { value: null, unknown: 'operation' };
    }
    const storage: Storage = storageOf(place, this.#frame.registers, this.#memory);
    // Some pieces may be known, so pieces are checked later, one by one.
    const whole = place.kind === 'pieces' ? null : storage.read(0, size);
    return typeof whole === 'string'
      ? { value: null, unknown: whole }
      : { value: valueText(this.#values, type, storage), unknown: null };
  }

  /**
   * Returns the count of a dynamic dimension, which is an expression or a variable made by the compiler; null if
   * unknown.
   */
  #count({ unit, value, plus }: DynamicCount): number | null {
    const reference = unit.reference(value);
    const expression = reference === undefined ? unit.block(value) : undefined;
    const place =
      reference !== undefined
        ? this.#placeOf(this.#program.entries.at(reference))
        : expression !== undefined
          ? evaluate(expression, this.#expressions)
          : null;
    if (place === null) {
      return null;
    }
    // An expression for a number leaves it on the stack, like an expression for a location leaves an address.
    const isNumber = reference === undefined && place.kind === 'address';
    const bytes = isNumber ? null : storageOf(place, this.#frame.registers, this.#memory).read(0, 4);
    const count = isNumber
      ? place.address
      : typeof bytes === 'string' || bytes === null
        ? null
        : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    return count === null ? null : (count + plus) >>> 0;
  }
}

function constantPlace({ unit, value }: FoundValue): Place {
  const block = unit.block(value) ?? unit.wideNumber(value);
  if (block !== undefined) {
    return { kind: 'bytes', bytes: block };
  }
  const text = unit.string(value);
  if (text !== undefined) {
    return { kind: 'bytes', bytes: new TextEncoder().encode(`${text}\0`) };
  }
  if (!Number.isSafeInteger(value.number)) {
    return { kind: 'unknown', why: 'operation' };
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value.number), true);
  return { kind: 'bytes', bytes };
}

function shownPlace(place: Place): VariablePlace | null {
  switch (place.kind) {
    case 'address':
      return { kind: 'memory', address: place.address };
    case 'register':
      return { kind: 'register', register: place.register };
    case 'pieces':
      return { kind: 'pieces' };
    case 'value':
    case 'bytes':
      return { kind: 'constant' };
    case 'unknown':
      return null;
  }
}

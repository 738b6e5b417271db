/** Computes the registers of a caller from a function's entry in the table of call frames (DWARF 5, section 6.4). */
import type { CoreMemory } from '../core/core-memory.ts';
import type { FrameEntry } from './call-frame-table.ts';
import { contextOf, type ExpressionContext, evaluateAddress } from './expression.ts';
import { type CfaRule, type RegisterRule, rulesAt } from './frame-rules.ts';
import type { Registers } from './stack-frame.ts';
import type { Place } from './walk.ts';

/** Use of registers by a processor family, by DWARF number. */
export interface RegisterUse {
  readonly stackPointer: number;
  /** Returns true if functions preserve the register. */
  readonly isKept: (register: number) => boolean;
}

export interface TableCaller {
  readonly cfa: number | undefined;
  readonly registers: Registers;
  /** `outermost`: the table says that there is no return address. Undefined: unknown. */
  readonly returnAddress: number | 'outermost' | undefined;
  /** True: the function does not save its return address, which stays in its register until the function calls another one. */
  readonly isReturnUnsaved: boolean;
}

/** @throws RangeError if the entry is damaged. */
export function callerByTable(
  memory: CoreMemory,
  { registers, lookedUp }: Pick<Place, 'registers' | 'lookedUp'>,
  entry: FrameEntry,
  { stackPointer, isKept }: RegisterUse,
): TableCaller {
  const rules = rulesAt(entry, lookedUp);
  const { returnColumn } = entry.common;
  const context = contextOf(registers, memory);
  const cfa = cfaOf(rules.cfa, context);
  const returnRule = rules.registers.get(returnColumn)?.kind ?? 'same';
  const isReturnUnsaved = returnRule === 'same';
  if (returnRule === 'undefined') {
    return { cfa, registers: [], returnAddress: 'outermost', isReturnUnsaved };
  }
  if (cfa === undefined) {
    return { cfa, registers: [], returnAddress: undefined, isReturnUnsaved };
  }
  const found = registers.map((value, register) => {
    const rule = rules.registers.get(register);
    if (rule !== undefined) {
      return foundBy(rule, { value, cfa, context });
    }
    return isKept(register) || register === returnColumn ? value : undefined;
  });
  const returnAddress = found[returnColumn];
  found[stackPointer] = cfa;
  return { cfa, registers: found, returnAddress, isReturnUnsaved };
}

function cfaOf(rule: CfaRule, context: ExpressionContext): number | undefined {
  if (rule.kind === 'expression') {
    return evaluateAddress(rule.expression, context);
  }
  const value = context.register(rule.register);
  return value === undefined ? undefined : (value + rule.offset) >>> 0;
}

interface Rulings {
  readonly value: number | undefined;
  readonly cfa: number;
  readonly context: ExpressionContext;
}

function foundBy(rule: RegisterRule, { value, cfa, context }: Rulings): number | undefined {
  switch (rule.kind) {
    case 'undefined':
      return undefined;
    case 'same':
      return value;
    case 'saved':
      return context.memory((cfa + rule.offset) >>> 0, 4);
    case 'value':
      return (cfa + rule.offset) >>> 0;
    case 'register':
      return context.register(rule.register);
    case 'saved-at': {
      const address = evaluateAddress(rule.expression, context, [cfa]);
      return address === undefined ? undefined : context.memory(address, 4);
    }
    case 'computed':
      return evaluateAddress(rule.expression, context, [cfa]);
  }
}

/**
 * Runs the instructions of a function's frame entry up to an address. The result is one rule for each register of the
 * caller (DWARF 5, sections 6.4.2 and 7.24). Numbers have 32 bits.
 */
import { ByteCursor } from '../byte-cursor.ts';
import { frameInstruction } from '../dwarf/constants.ts';
import type { CommonEntry, FrameEntry } from './call-frame-table.ts';

export type RegisterRule =
  | { readonly kind: 'undefined' }
  | { readonly kind: 'same' }
  /** Saved at address CFA + `offset`. */
  | { readonly kind: 'saved'; readonly offset: number }
  /** The value is CFA + `offset`. */
  | { readonly kind: 'value'; readonly offset: number }
  | { readonly kind: 'register'; readonly register: number }
  /** Saved at the address that the expression computes; its stack initially holds the CFA. */
  | { readonly kind: 'saved-at'; readonly expression: Uint8Array }
  | { readonly kind: 'computed'; readonly expression: Uint8Array };

export type CfaRule =
  | { readonly kind: 'register'; readonly register: number; readonly offset: number }
  | { readonly kind: 'expression'; readonly expression: Uint8Array };

export interface FrameRules {
  readonly cfa: CfaRule;
  /** Rules by DWARF number. A register without a rule keeps its value, unless the ABI says otherwise. */
  readonly registers: ReadonlyMap<number, RegisterRule>;
}

interface State {
  cfa: CfaRule | undefined;
  readonly registers: Map<number, RegisterRule>;
}

/**
 * DW_CFA_remember_state. Stores the number of changes so far instead of a copy, so that damaged instructions cannot
 * make many copies.
 */
interface Remembered {
  readonly cfa: CfaRule | undefined;
  readonly changes: number;
}

/** Maximum number of remembered states. Functions have at most one for each branch; more are damage. */
const MAX_REMEMBERED = 256;

/**
 * Returns the rules that apply at `address`.
 * @throws RangeError if the instructions are damaged.
 */
export function rulesAt({ common, start, instructions }: FrameEntry, address: number): FrameRules {
  const state: State = { cfa: undefined, registers: new Map() };
  run(common, common.instructions, state, { from: start, to: address, initial: new Map() });
  run(common, instructions, state, { from: start, to: address, initial: new Map(state.registers) });
  if (state.cfa === undefined) {
    throw new RangeError('A frame without a CFA');
  }
  const isNegated = common.armcc === 'factored-negated';
  const cfa: CfaRule =
    isNegated && state.cfa.kind === 'register' ? { ...state.cfa, offset: -state.cfa.offset } : state.cfa;
  return { cfa, registers: state.registers };
}

interface Run {
  readonly from: number;
  readonly to: number;
  /** Rules of the common entry, for DW_CFA_restore. */
  readonly initial: ReadonlyMap<number, RegisterRule>;
}

function run(common: CommonEntry, instructions: Uint8Array, state: State, { from, to, initial }: Run): void {
  const cursor = new ByteCursor(instructions, true);
  const { codeAlignment, dataAlignment, armcc } = common;
  const cfaUnit = armcc === undefined ? 1 : dataAlignment;
  const remembered: Remembered[] = [];
  /** Previous rules of the registers that changed since the first remembered state. */
  const replaced: { readonly register: number; readonly rule: RegisterRule | undefined }[] = [];
  let location = from;
  const put = (register: number, rule: RegisterRule | undefined) => {
    if (rule === undefined) {
      state.registers.delete(register);
    } else {
      state.registers.set(register, rule);
    }
  };
  const change = (register: number, rule: RegisterRule | undefined) => {
    if (remembered.length > 0) {
      replaced.push({ register, rule: state.registers.get(register) });
    }
    put(register, rule);
  };
  const set = (register: number, rule: RegisterRule) => change(register, rule);
  const restore = (register: number) => change(register, initial.get(register));
  const saved = (offset: number): RegisterRule => ({ kind: 'saved', offset });
  const block = (): Uint8Array => {
    const size = cursor.uleb();
    const begin = cursor.position;
    cursor.advance(size);
    return instructions.subarray(begin, cursor.position);
  };
  const cfaOffset = (offset: number) => {
    if (state.cfa?.kind !== 'register') {
      throw new RangeError('An offset without a register');
    }
    state.cfa = { ...state.cfa, offset };
  };
  while (!cursor.atEnd && location <= to) {
    const code = cursor.u8();
    const low = code & 0x3f;
    switch (code & 0xc0) {
      case frameInstruction.advanceLoc:
        location += low * codeAlignment;
        continue;
      case frameInstruction.offset:
        set(low, saved(cursor.uleb() * dataAlignment));
        continue;
      case frameInstruction.restore:
        restore(low);
        continue;
      default:
    }
    switch (code) {
      case frameInstruction.nop:
        break;
      case frameInstruction.setLoc:
        location = cursor.u32();
        break;
      case frameInstruction.advanceLoc1:
        location += cursor.u8() * codeAlignment;
        break;
      case frameInstruction.advanceLoc2:
        location += cursor.u16() * codeAlignment;
        break;
      case frameInstruction.advanceLoc4:
        location += cursor.u32() * codeAlignment;
        break;
      case frameInstruction.offsetExtended:
        set(cursor.uleb(), saved(cursor.uleb() * dataAlignment));
        break;
      case frameInstruction.restoreExtended:
        restore(cursor.uleb());
        break;
      case frameInstruction.undefined:
        set(cursor.uleb(), { kind: 'undefined' });
        break;
      case frameInstruction.sameValue:
        set(cursor.uleb(), { kind: 'same' });
        break;
      case frameInstruction.register:
        set(cursor.uleb(), { kind: 'register', register: cursor.uleb() });
        break;
      case frameInstruction.rememberState:
        if (remembered.length === MAX_REMEMBERED) {
          throw new RangeError('Too many remembered states');
        }
        remembered.push({ cfa: state.cfa, changes: replaced.length });
        break;
      case frameInstruction.restoreState: {
        const last = remembered.pop();
        if (last === undefined) {
          throw new RangeError('No remembered state');
        }
        state.cfa = last.cfa;
        for (const { register, rule } of replaced.splice(last.changes).reverse()) {
          put(register, rule);
        }
        break;
      }
      case frameInstruction.defCfa:
        state.cfa = { kind: 'register', register: cursor.uleb(), offset: cursor.uleb() * cfaUnit };
        break;
      case frameInstruction.defCfaRegister: {
        const register = cursor.uleb();
        state.cfa = { kind: 'register', register, offset: state.cfa?.kind === 'register' ? state.cfa.offset : 0 };
        break;
      }
      case frameInstruction.defCfaOffset:
        cfaOffset(cursor.uleb() * cfaUnit);
        break;
      case frameInstruction.defCfaExpression:
        state.cfa = { kind: 'expression', expression: block() };
        break;
      case frameInstruction.expression:
        set(cursor.uleb(), { kind: 'saved-at', expression: block() });
        break;
      case frameInstruction.offsetExtendedSf:
        set(cursor.uleb(), saved(cursor.sleb() * dataAlignment));
        break;
      case frameInstruction.defCfaSf:
        state.cfa = { kind: 'register', register: cursor.uleb(), offset: cursor.sleb() * dataAlignment };
        break;
      case frameInstruction.defCfaOffsetSf:
        cfaOffset(cursor.sleb() * dataAlignment);
        break;
      case frameInstruction.valOffset:
        set(cursor.uleb(), { kind: 'value', offset: cursor.uleb() * dataAlignment });
        break;
      case frameInstruction.valOffsetSf:
        set(cursor.uleb(), { kind: 'value', offset: cursor.sleb() * dataAlignment });
        break;
      case frameInstruction.valExpression:
        set(cursor.uleb(), { kind: 'computed', expression: block() });
        break;
      case frameInstruction.gnuArgsSize:
        // Does not affect registers.
        cursor.uleb();
        break;
      default:
        throw new RangeError(`Frame instruction ${code}`);
    }
  }
}

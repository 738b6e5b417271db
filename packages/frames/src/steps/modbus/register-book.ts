/** The newest observed value of each register, coil and input on a Modbus line, as answers have them. */
import type { RegisterTable } from '@wirebench/contract/decoders';
import type { DecodedFrame, FrameLink } from '../../frame-types.ts';
import { tables, word } from './register-tables.ts';

/** A register, coil or input with its newest value. */
export interface SeenRegister {
  readonly unit: number;
  readonly table: RegisterTable;
  /** Address as it is sent: the first one is 0. */
  readonly address: number;
  /** 0 to 65,535; 0 or 1 for a coil or input. */
  readonly raw: number;
  /** Time of the frame, in milliseconds since the Unix epoch. NaN: unknown. */
  readonly at: number;
}

/** A question that this side did not send: another master asks on the line. */
export interface OtherMaster {
  readonly unit: number;
  /** Time of its newest question, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Registers that are kept. Further ones are counted. */
const MAX_REGISTERS = 4_096;

/** Functions whose answers have no values (V1.1b3, sections 6.11, 6.12 and 6.16). */
const valueless: ReadonlySet<unknown> = new Set([15, 16, 22]);

/** Objects of the identification (6.21) that name a device for people, the best first: product name, model name, product code. */
const naming = ['object.4', 'object.5', 'object.1'] as const;

export class RegisterBook {
  readonly #registers = new Map<string, SeenRegister>();
  readonly #names = new Map<number, string>();
  #other: OtherMaster | null = null;
  /** Registers that there was no room for. */
  omitted = 0;

  /** Registers in the order in which they were first seen. */
  get registers(): readonly SeenRegister[] {
    return [...this.#registers.values()];
  }

  /** Names of units by their identification. */
  get names(): readonly (readonly [unit: number, name: string])[] {
    return [...this.#names];
  }

  /** The newest question of another master; null: none was heard. */
  get other(): OtherMaster | null {
    return this.#other;
  }

  /**
   * Takes a frame of any protocol. Only those of Modbus have registers.
   *
   * @param isSent True: this side sent it.
   */
  add(
    { kind, fields }: DecodedFrame,
    role: FrameLink['role'],
    isSent: boolean | undefined,
    bytes: Uint8Array,
    at: number,
  ): void {
    const [unitField, functionField] = fields;
    const unit = unitField?.value;
    const code = functionField?.value;
    if (
      kind !== 'right' ||
      unitField?.name !== 'unit' ||
      functionField?.name !== 'function' ||
      typeof unit !== 'number'
    ) {
      return;
    }
    if (role === 'question') {
      if (isSent === false) {
        this.#other = { unit, at };
      }
      return;
    }
    if (role !== 'answer') {
      return;
    }
    if (code === 43) {
      const found = naming.map((name) => fields.find((field) => field.name === name)?.value);
      const name = found.find((value) => typeof value === 'string' && value !== '');
      if (typeof name === 'string') {
        this.#names.set(unit, name);
      }
      return;
    }
    const table = tables.get(code);
    const placed = fields.filter(({ place }) => place !== undefined && /^\d+(–\d+)?$/.test(place));
    const [lowest] = placed;
    if (table === undefined || lowest === undefined || valueless.has(code)) {
      return;
    }
    const first = Number.parseInt(lowest.place ?? '', 10);
    if (code === 5) {
      this.#set({ unit, table, address: first, raw: word(bytes, lowest.from) === 0xff00 ? 1 : 0, at });
    } else if (table === 'coil' || table === 'discrete') {
      for (const [index, field] of placed.entries()) {
        this.#set({ unit, table, address: first + index, raw: field.value === true ? 1 : 0, at });
      }
    } else {
      const end = Math.max(...placed.map(({ to }) => to));
      for (let from = lowest.from, address = first; from + 2 <= end; from += 2, address++) {
        this.#set({ unit, table, address, raw: word(bytes, from), at });
      }
    }
  }

  #set(register: SeenRegister): void {
    const key = `${register.unit} ${register.table} ${register.address}`;
    if (this.#registers.has(key) || this.#registers.size < MAX_REGISTERS) {
      this.#registers.set(key, register);
    } else {
      this.omitted++;
    }
  }
}

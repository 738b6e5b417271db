/** A described chip at one place of a bus: the jobs that the description makes of it. */
import {
  type ChipContent,
  type ChipReading,
  type ChipRegister,
  type FormulaNode,
  namesIn,
  parseFormula,
} from '@wirebench/contract/chips';
import { calculate } from './calculate.ts';
import { ChipError, type ChipFailure } from './chip-error.ts';
import { type ChipJob, type ChipTransfer, type RegisterValues, readRegisters, writeRegister } from './transfers.ts';

/** `identified`: all registers hold what they should. `possible`: nothing to check. `unlikely`: a register holds something else. */
type ChipCertainty = 'identified' | 'possible' | 'unlikely';

export type ReadingResult =
  /** @property isOutside beyond what the chip can measure */
  | { readonly reading: ChipReading; readonly value: number; readonly isOutside: boolean }
  | { readonly reading: ChipReading; readonly failure: ChipFailure };

interface DescribedChip {
  readonly identify: ChipJob<ChipCertainty>;
  /** The writes that set it up, in their order. */
  readonly initialise: readonly ChipTransfer[];
  /** What `cycle` wants to know; read once after the set-up. No transfers for a chip without calibration. */
  readonly calibrate: ChipJob<RegisterValues>;
  /** One reading cycle. */
  readonly cycle: (calibration: RegisterValues) => ChipJob<readonly ReadingResult[]>;
  /** Reads these registers. @throws ChipError `not-described` for a name that cannot be read */
  readonly read: (names: readonly string[]) => ChipJob<RegisterValues>;
  /** @param value the lowest bits are written @throws ChipError `not-described` for a name that cannot be written */
  readonly write: (name: string, value: bigint) => ChipTransfer;
}

/**
 * @param chip as `checkChip` gives it
 * @param address one of its addresses, 7 bits; null on an SPI bus
 * @throws ChipError `wrong-address`: a description never reaches beyond the addresses that it lists
 */
export function describedChip(chip: ChipContent, address: number | null): DescribedChip {
  const isListed = chip.bus === 'i2c' ? address !== null && chip.addresses.includes(address) : address === null;
  if (!isListed) {
    throw new ChipError('wrong-address');
  }
  const registers = new Map(chip.registers.map((register) => [register.name, register]));
  const accessible = (name: string, refused: ChipRegister['access']) => {
    const register = registers.get(name);
    if (register === undefined || register.access === refused) {
      throw new ChipError('not-described');
    }
    return register;
  };
  const read = (names: readonly string[]) =>
    readRegisters(
      chip,
      address,
      [...new Set(names)].map((name) => accessible(name, 'w')),
    );
  const write = (name: string, value: bigint, delay = 0) =>
    writeRegister(chip, address, accessible(name, 'r'), value, delay);
  return {
    identify: identification(chip, read),
    initialise: chip.init.map(({ register, value = 0, bytes, delay }) =>
      bytes === undefined
        ? write(register ?? '', BigInt(value), delay)
        : { address, write: bytesOf(bytes), read: 0, delay },
    ),
    calibrate: read(chip.calibration),
    cycle: (calibration) => cycleOf(chip, registers, read, calibration),
    read,
    write: (name, value) => write(name, value),
  };
}

type Read = (names: readonly string[]) => ChipJob<RegisterValues>;

function identification({ identification: checks }: ChipContent, read: Read): ChipJob<ChipCertainty> {
  const { transfers, value } = read(checks.map(({ register }) => register));
  return {
    transfers,
    value: (answers) => {
      const held = value(answers);
      const fits = checks.every(({ register, mask, value: wanted }) => {
        const bits = BigInt.asUintN(32, held.get(register) ?? -1n);
        return (mask === undefined ? bits : bits & BigInt(mask)) === BigInt(wanted);
      });
      return checks.length === 0 ? 'possible' : fits ? 'identified' : 'unlikely';
    },
  };
}

interface Step {
  readonly formula: FormulaNode;
  readonly names: ReadonlySet<string>;
}

const stepOf = (text: string): Step => {
  const formula = parseFormula(text);
  return { formula, names: namesIn(formula) };
};

/** `status.busy` is read with `status`. */
const registerIn = (name: string) => name.split('.')[0] ?? '';

function cycleOf(
  chip: ChipContent,
  registers: ReadonlyMap<string, ChipRegister>,
  read: Read,
  calibration: RegisterValues,
): ChipJob<readonly ReadingResult[]> {
  const readings = chip.readings.map((reading) => ({ reading, step: stepOf(reading.formula) }));
  const wanted = new Set(readings.flatMap(({ step }) => [...step.names]));
  // What a value needs stands before it: from the last to the first, each is known to be needed or not when its turn comes.
  const values = chip.values
    .map(({ name, kind, formula }) => ({ name, kind, step: stepOf(formula) }))
    .toReversed()
    .filter(({ name, step }) => {
      const isWanted = wanted.has(name);
      for (const part of isWanted ? step.names : []) {
        wanted.add(part);
      }
      return isWanted;
    })
    .toReversed();
  const names = new Set([...wanted].map(registerIn).filter((name) => registers.has(name) && !calibration.has(name)));
  const job = read([...names]);
  return {
    transfers: job.transfers,
    value: (answers) => {
      const known = new KnownValues(registers, new Map([...calibration, ...job.value(answers)]));
      for (const { name, kind, step } of values) {
        known.add(name, () => calculate(step.formula, kind, known.lookup));
      }
      return readings.map(({ reading, step }) => resultOf(reading, step.formula, known));
    },
  };
}

/** What formulas may use so far. One that failed fails again in whatever uses it. */
class KnownValues {
  readonly #registers: ReadonlyMap<string, ChipRegister>;
  readonly #held: RegisterValues;
  readonly #values = new Map<string, bigint | number | ChipError>();

  constructor(registers: ReadonlyMap<string, ChipRegister>, held: RegisterValues) {
    this.#registers = registers;
    this.#held = held;
  }

  add(name: string, value: () => bigint | number): void {
    this.#values.set(name, attempt(value));
  }

  readonly lookup = (name: string): bigint | number => {
    const value = this.#values.get(name) ?? this.#registerValue(name);
    if (value instanceof ChipError) {
      throw value;
    }
    return value;
  };

  #registerValue(name: string): bigint | ChipError {
    const [register = '', field] = name.split('.');
    const held = this.#held.get(register);
    if (held === undefined || field === undefined) {
      return held ?? new ChipError('not-read');
    }
    const bits = this.#registers.get(register)?.fields.find((one) => one.name === field);
    return bits === undefined ? new ChipError('not-described') : fieldValue(held, bits);
  }
}

/** A field of a register's number, without a sign. */
function fieldValue(register: bigint, { high, low }: { readonly high: number; readonly low: number }): bigint {
  return BigInt.asUintN(high - low + 1, register >> BigInt(low));
}

function attempt(value: () => bigint | number): bigint | number | ChipError {
  try {
    return value();
  } catch (error) {
    if (error instanceof ChipError) {
      return error;
    }
    throw error;
  }
}

function resultOf(reading: ChipReading, formula: FormulaNode, known: KnownValues): ReadingResult {
  const result = attempt(() => calculate(formula, reading.kind, known.lookup));
  if (result instanceof ChipError) {
    return { reading, failure: result.code };
  }
  const value = Number(result) / reading.divisor;
  if (!Number.isFinite(value)) {
    return { reading, failure: 'not-a-number' };
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = reading;
  return { reading, value, isOutside: value < minimum || value > maximum };
}

/** `25.08 °C`. */
export function readingText(value: number, { decimals, unit }: Pick<ChipReading, 'decimals' | 'unit'>): string {
  return `${value.toFixed(decimals)}${unit === '' ? '' : ` ${unit}`}`;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[\dA-Fa-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}

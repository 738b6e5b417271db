/**
 * A described chip at one address of a bus: turns its description into jobs. Nothing here touches the bus, and the
 * caller sends the transfers.
 */
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

/**
 * `identified`: all identification registers hold the expected values. `possible`: the description has none to check.
 * `unlikely`: a register holds another value.
 */
type ChipCertainty = 'identified' | 'possible' | 'unlikely';

export type ReadingResult =
  /** `isOutside`: true for a value outside the range that the chip can measure. */
  | { readonly reading: ChipReading; readonly value: number; readonly isOutside: boolean }
  | { readonly reading: ChipReading; readonly failure: ChipFailure };

interface DescribedChip {
  readonly identify: ChipJob<ChipCertainty>;
  /** Writes that set the chip up, in order. */
  readonly initialise: readonly ChipTransfer[];
  /**
   * True: the readable registers hold the last values that `initialise` writes to them. Also true for a chip without
   * a set-up. Null: no register of the set-up can be read back.
   */
  readonly isInitialised: ChipJob<boolean | null>;
  /** Reads the calibration for `cycle`, once after the set-up. Has no transfers for a chip without calibration. */
  readonly calibrate: ChipJob<RegisterValues>;
  /** Returns the job of one reading cycle. */
  readonly cycle: (calibration: RegisterValues) => ChipJob<readonly ReadingResult[]>;
  /**
   * Returns a job that reads these registers.
   *
   * @throws ChipError `not-described` for a name that cannot be read.
   */
  readonly read: (names: readonly string[]) => ChipJob<RegisterValues>;
  /**
   * Returns the transfer that writes one register.
   *
   * @param value The register takes its lowest bits.
   * @throws ChipError `not-described` for a name that cannot be written.
   */
  readonly write: (name: string, value: bigint) => ChipTransfer;
}

/**
 * Returns the jobs of a described chip.
 *
 * @param chip Content that `checkChip` returned.
 * @param address One of its addresses, 7 bits; null on an SPI bus.
 * @throws ChipError `wrong-address` for an address that the description does not list.
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
    isInitialised: setUpCheck(chip, registers, read),
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
      const fits = checks.every(({ register, mask, value: wanted, others }) => {
        const bits = BigInt.asUintN(32, held.get(register) ?? -1n);
        const masked = mask === undefined ? bits : bits & BigInt(mask);
        return [wanted, ...others].some((value) => masked === BigInt(value));
      });
      return checks.length === 0 ? 'possible' : fits ? 'identified' : 'unlikely';
    },
  };
}

function setUpCheck(
  { init }: ChipContent,
  registers: ReadonlyMap<string, ChipRegister>,
  read: Read,
): ChipJob<boolean | null> {
  const written = new Map<string, number>();
  for (const { register = '', value, bytes } of init) {
    if (bytes === undefined && registers.get(register)?.access === 'rw') {
      written.set(register, value ?? 0);
    }
  }
  const { transfers, value } = read([...written.keys()]);
  return {
    transfers,
    value: (answers) => {
      if (init.length === 0 || written.size === 0) {
        return init.length === 0 ? true : null;
      }
      const held = value(answers);
      return [...written].every(([name, wanted]) => unsigned(held.get(name), registers.get(name)) === BigInt(wanted));
    },
  };
}

/** Returns the register's bits without a sign; undefined for a register that was not read. */
function unsigned(held: bigint | undefined, register: ChipRegister | undefined): bigint | undefined {
  return held === undefined || register === undefined ? undefined : BigInt.asUintN(register.width, held);
}

/**
 * Returns the reset values of measurement registers, by name. Such a value means that the chip has not measured yet.
 * Only read-only registers count, with a reset value other than 0 and not used for identification. The BME280 holds
 * 0x800000 until it has measured, and in registers of disabled measurements (BST-BME280-DS002, 5.4.7 and 5.4.8). A 0
 * may be a measurement.
 */
function unmeasuredValues({ registers, identification }: ChipContent): ReadonlyMap<string, bigint> {
  const recognised = new Set(identification.map(({ register }) => register));
  return new Map(
    registers.flatMap(({ name, access, reset = 0 }) =>
      access === 'r' && reset !== 0 && !recognised.has(name) ? [[name, BigInt(reset)] as const] : [],
    ),
  );
}

interface Step {
  readonly formula: FormulaNode;
  readonly names: ReadonlySet<string>;
}

const stepOf = (text: string): Step => {
  const formula = parseFormula(text);
  return { formula, names: namesIn(formula) };
};

/** Returns the register of a name: `status.busy` is a field of `status`. */
const registerIn = (name: string) => name.split('.')[0] ?? '';

function cycleOf(
  chip: ChipContent,
  registers: ReadonlyMap<string, ChipRegister>,
  read: Read,
  calibration: RegisterValues,
): ChipJob<readonly ReadingResult[]> {
  const readings = chip.readings.map((reading) => ({ reading, step: stepOf(reading.formula) }));
  const wanted = new Set(readings.flatMap(({ step }) => [...step.names]));
  // A value uses only values listed before it. From last to first, all users of a value have been visited when its
  // turn comes.
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
  const unmeasured = unmeasuredValues(chip);
  const stepsByName = new Map(values.map(({ name, step }) => [name, step]));
  return {
    transfers: job.transfers,
    value: (answers) => {
      const held = new Map([...calibration, ...job.value(answers)]);
      const known = new KnownValues(registers, held);
      const isUnmeasured = (name: string) =>
        unmeasured.has(name) && unsigned(held.get(name), registers.get(name)) === unmeasured.get(name);
      for (const { name, kind, step } of values) {
        known.add(name, () => calculate(step.formula, kind, known.lookup));
      }
      return readings.map(({ reading, step }) =>
        [...registersOf(step, stepsByName)].some(isUnmeasured)
          ? { reading, failure: 'not-measured' }
          : resultOf(reading, step.formula, known),
      );
    },
  };
}

/** Returns the registers that a step needs, directly or through earlier steps. */
function registersOf({ names }: Step, steps: ReadonlyMap<string, Step>): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set(names);
  // The loop also visits names that are added to the set during iteration.
  for (const name of seen) {
    const step = steps.get(name);
    if (step === undefined) {
      found.add(registerIn(name));
    }
    for (const part of step?.names ?? []) {
      seen.add(part);
    }
  }
  return found;
}

/** Values that formulas may use so far. A failed value throws its error in every formula that uses it. */
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

/** Extracts a field from a register's value, without a sign. */
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

/** Formats a reading: `25.08 °C`. */
export function readingText(value: number, { decimals, unit }: Pick<ChipReading, 'decimals' | 'unit'>): string {
  return `${value.toFixed(decimals)}${unit === '' ? '' : ` ${unit}`}`;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[\dA-Fa-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}

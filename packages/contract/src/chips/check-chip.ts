/**
 * Checks that a text describes a chip, and returns one sentence for each fault. It never throws, because the text may
 * come from any user.
 */

import { type ContentCheck, type ContentLimits, checkContent } from '../strict-content.ts';
import { ChipContent, type ChipRegister } from './chip-content.ts';
import { chipLimits } from './chip-rules.ts';
import { checkFormulaKind, FormulaError, type FormulaKind, formulaFunctions, parseFormula } from './formula.ts';

const limits: ContentLimits = {
  subject: 'description',
  longestList: 256,
  // The smallest takes 22 characters of 64 KiB.
  parts: 3_000,
  faults: chipLimits.faults,
  entryNames: new Map([
    ['addresses', 'address'],
    ['identification', 'identification'],
    ['registers', 'register'],
    ['fields', 'field'],
    ['calibration', 'calibration'],
    ['init', 'write'],
    ['values', 'value'],
    ['readings', 'reading'],
  ]),
};

/** Checks the text of a JKit's content. */
export function checkChip(text: string): ContentCheck<ChipContent> {
  return checkContent(text, ChipContent, faultsOf, limits);
}

/** Yields the faults that the schema cannot find because they concern several parts. */
function* faultsOf(chip: ChipContent): Generator<string> {
  yield* busFaults(chip);
  const registers = new Map<string, ChipRegister>();
  for (const register of chip.registers) {
    if (registers.has(register.name) || formulaFunctions.has(register.name)) {
      yield `The name ${register.name} is taken`;
    }
    registers.set(register.name, register);
    yield* registerFaults(register, chip);
  }
  yield* referenceFaults(chip, registers);
  yield* initFaults(chip, registers);
  yield* formulaFaults(chip, registers);
}

function* busFaults({ bus, addresses, spi, pointer }: ChipContent): Generator<string> {
  if (bus === 'i2c' && addresses.length === 0) {
    yield 'A chip on an I2C bus needs at least one address';
  }
  if (new Set(addresses).size < addresses.length) {
    yield 'An address is listed twice';
  }
  if (bus === 'i2c' && spi !== undefined) {
    yield 'A chip on an I2C bus cannot have settings for SPI';
  }
  if (bus === 'spi' && addresses.length > 0) {
    yield 'A chip on an SPI bus cannot have addresses';
  }
  if (bus === 'spi' && pointer !== 8) {
    yield 'A chip on an SPI bus needs a pointer of 8 bits';
  }
}

function* registerFaults(register: ChipRegister, { pointer, bus, increments }: ChipContent): Generator<string> {
  const { name, address, offset, width, wait, reset, fields } = register;
  if (bus === 'spi' && wait > 0) {
    yield `Register ${name} cannot have a wait: an SPI transfer goes on in one piece`;
  }
  if (offset > 0 && increments) {
    // With increments, the bytes behind the address belong to the next register.
    yield `Register ${name} cannot have an offset unless increments is false`;
  }
  if (address >= 2 ** pointer) {
    yield `The address of register ${name} does not fit into ${pointer} bits`;
  }
  if (offset + width / 8 > chipLimits.transferBytes) {
    yield `Register ${name} ends beyond the ${chipLimits.transferBytes} bytes of one transfer`;
  }
  if (reset !== undefined && reset >= 2 ** width) {
    yield `The reset value of register ${name} does not fit into ${width} bits`;
  }
  const names = new Set<string>();
  for (const field of fields) {
    if (names.has(field.name)) {
      yield `Register ${name} has two fields ${field.name}`;
    }
    names.add(field.name);
    if (field.low > field.high || field.high >= width) {
      yield `Field ${name}.${field.name} must be bits ${width - 1} to 0, the highest first`;
    } else if (field.values?.some(({ value }) => value >= 2 ** (field.high - field.low + 1)) === true) {
      yield `A value of field ${name}.${field.name} does not fit into its bits`;
    }
  }
}

function* referenceFaults(chip: ChipContent, registers: ReadonlyMap<string, ChipRegister>): Generator<string> {
  const known = (name: string) => registers.get(name);
  for (const { register: name, mask, value, others } of chip.identification) {
    const register = known(name);
    if (register === undefined || register.access === 'w') {
      yield `Identification needs a register that can be read: ${name}`;
    } else if (Math.max(mask ?? 0, value, ...others) >= 2 ** register.width) {
      yield `The identification value of ${name} does not fit into ${register.width} bits`;
    } else if (mask !== undefined && [value, ...others].some((one) => (one & ~mask) !== 0)) {
      yield `The identification value of ${name} has bits outside of its mask`;
    }
  }
  const calibration = new Set<string>();
  for (const name of chip.calibration) {
    if (calibration.has(name)) {
      yield `Calibration reads ${name} twice`;
    }
    calibration.add(name);
    const register = known(name);
    if (register === undefined || register.access === 'w') {
      yield `Calibration needs a register that can be read: ${name}`;
    }
  }
}

function* initFaults({ init, pointer }: ChipContent, registers: ReadonlyMap<string, ChipRegister>): Generator<string> {
  for (const [index, { register: name, value, bytes }] of init.entries()) {
    const at = `Write ${index + 1}`;
    if (bytes !== undefined && name === undefined && value === undefined) {
      if (bytes.replaceAll(' ', '').length / 2 > chipLimits.transferBytes) {
        yield `${at} has more than ${chipLimits.transferBytes} bytes`;
      }
      continue;
    }
    const register = registers.get(name ?? '');
    if (bytes !== undefined || name === undefined || value === undefined) {
      yield `${at} needs a register and a value, or bytes`;
    } else if (register === undefined || register.access === 'r' || register.offset !== 0) {
      yield `${at} needs a register that can be written: ${name}`;
    } else if (value >= 2 ** register.width) {
      yield `The value of write ${index + 1} does not fit into ${register.width} bits`;
    } else if (pointer / 8 + register.width / 8 > chipLimits.transferBytes) {
      yield `${at} has more than ${chipLimits.transferBytes} bytes`;
    }
  }
  if (init.reduce((sum, { delay }) => sum + delay, 0) > chipLimits.initDelay) {
    yield `All waits together cannot exceed ${chipLimits.initDelay / 1_000_000} s`;
  }
}

function* formulaFaults(chip: ChipContent, registers: ReadonlyMap<string, ChipRegister>): Generator<string> {
  const kinds = new Map<string, FormulaKind>();
  for (const { name, access, fields } of chip.registers) {
    if (access !== 'w') {
      kinds.set(name, 'integer');
      for (const field of fields) {
        kinds.set(`${name}.${field.name}`, 'integer');
      }
    }
  }
  for (const { name, kind, formula } of chip.values) {
    yield* formulaFault(`Value ${name}`, formula, kind, kinds);
    if (registers.has(name) || kinds.has(name) || formulaFunctions.has(name)) {
      yield `The name ${name} is taken`;
    }
    kinds.set(name, kind);
  }
  const names = new Set<string>();
  for (const { name, kind, formula, minimum, maximum } of chip.readings) {
    yield* formulaFault(`Reading ${name}`, formula, kind, kinds);
    if (names.has(name)) {
      yield `There are two readings ${name}`;
    }
    names.add(name);
    if (minimum !== undefined && maximum !== undefined && minimum >= maximum) {
      yield `The range of reading ${name} must go from a smaller to a greater number`;
    }
  }
}

function* formulaFault(
  place: string,
  formula: string,
  kind: FormulaKind,
  kinds: ReadonlyMap<string, FormulaKind>,
): Generator<string> {
  try {
    checkFormulaKind(parseFormula(formula), kind, (name) => kinds.get(name));
  } catch (error) {
    if (!(error instanceof FormulaError)) {
      throw error;
    }
    yield `${place}: ${error.message}`;
  }
}

/** The options of `open`, checked as Web IDL and the Web Serial draft (section 4.4) want it. */
import type { UartSettings } from '../wire/link.ts';
import { badArgument } from './port-errors.ts';

export interface OpenOptions extends UartSettings {
  readonly bufferSize: number;
  readonly flowControl: FlowControlType;
}

const defaultBufferSize = 255;
/** The most that Chromium allocates for one port. */
const largestBufferSize = 16 * 1024 * 1024;

/** What Web IDL makes of the options before the port's state is looked at: right types, not yet right values. */
export type ConvertedOptions = Readonly<Record<'baudRate' | 'dataBits' | 'stopBits' | 'bufferSize', number>> & {
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
};

/** @throws TypeError when an option is missing or of a wrong type. */
export function convertOptions(options: SerialOptions): ConvertedOptions {
  return {
    baudRate: integer('baudRate', options.baudRate, 'unsigned long'),
    dataBits: integer('dataBits', options.dataBits ?? 8, 'octet'),
    stopBits: integer('stopBits', options.stopBits ?? 1, 'octet'),
    parity: oneOf('parity', 'ParityType', options.parity ?? 'none', ['none', 'even', 'odd']),
    bufferSize: integer('bufferSize', options.bufferSize ?? defaultBufferSize, 'unsigned long'),
    flowControl: oneOf('flowControl', 'FlowControlType', options.flowControl ?? 'none', ['none', 'hardware']),
  };
}

/** @throws TypeError when a value is out of the range that a port can have. */
export function checkOptions({ dataBits, stopBits, ...options }: ConvertedOptions): OpenOptions {
  const { baudRate, bufferSize } = options;
  if (baudRate === 0) {
    throw badArgument('open', 'Requested baud rate must be greater than zero.');
  }
  if (dataBits !== 7 && dataBits !== 8) {
    throw badArgument('open', 'Requested number of data bits must be 7 or 8.');
  }
  if (stopBits !== 1 && stopBits !== 2) {
    throw badArgument('open', 'Requested number of stop bits must be 1 or 2.');
  }
  if (bufferSize === 0) {
    throw badArgument('open', 'Requested buffer size (0 bytes) must be greater than zero.');
  }
  if (bufferSize > largestBufferSize) {
    const limit = `the maximum allowed (${largestBufferSize} bytes)`;
    throw badArgument('open', `Requested buffer size (${bufferSize} bytes) is greater than ${limit}.`);
  }
  return { ...options, dataBits, stopBits };
}

const largest = { octet: 2 ** 8 - 1, 'unsigned long': 2 ** 32 - 1 } as const;

/** A whole number, from 0 on; fractions are cut off (`[EnforceRange]`). */
function integer(name: keyof SerialOptions, value: unknown, type: keyof typeof largest): number {
  const number = Math.trunc(Number(value));
  if (value === undefined) {
    throw badProperty(name, 'Required member is undefined.');
  }
  if (Number.isNaN(number)) {
    throw badProperty(name, `Value is not of type '${type}'.`);
  }
  if (number < 0 || number > largest[type]) {
    throw badProperty(name, `Value is outside the '${type}' value range.`);
  }
  return number;
}

function oneOf<T extends string>(name: keyof SerialOptions, type: string, value: T, allowed: readonly T[]): T {
  if (!allowed.includes(value)) {
    throw badProperty(name, `The provided value '${value}' is not a valid enum value of type ${type}.`);
  }
  return value;
}

function badProperty(name: keyof SerialOptions, reason: string): TypeError {
  return badArgument('open', `Failed to read the '${name}' property from 'SerialOptions': ${reason}`);
}

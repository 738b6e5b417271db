/** The options of `open`, checked as Web IDL and the Web Serial draft (section 4.4) require. */
import type { UartSettings } from '../wire/link.ts';
import { badArgument } from './port-errors.ts';

export interface OpenOptions extends UartSettings {
  readonly bufferSize: number;
  readonly flowControl: FlowControlType;
}

const defaultBufferSize = 255;
/** Largest buffer that Chromium allocates for one port, in bytes. */
const largestBufferSize = 16 * 1024 * 1024;

/**
 * The options after Web IDL's conversion, before the port's state is checked. The types are right, the values may be
 * invalid.
 */
export type ConvertedOptions = Readonly<Record<'baudRate' | 'dataBits' | 'stopBits' | 'bufferSize', number>> & {
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
};

/**
 * Converts the options as Web IDL does.
 * @throws TypeError if an option is missing or has a wrong type.
 */
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

/**
 * Checks the values of converted options.
 * @throws TypeError if a value is outside the range of a port.
 */
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

/**
 * Converts to a whole number from 0 to the type's maximum; fractions are truncated (`[EnforceRange]`).
 * @throws TypeError for other values.
 */
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

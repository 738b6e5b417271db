/**
 * One simulated device on a Modbus line: coils, inputs and registers, and its answer to a request (MODBUS Application
 * Protocol Specification V1.1b3, sections 6 and 7). Addresses count from 0. Checksums and addressing by unit are in
 * `modbus-line.ts`.
 */
import { viewOf } from '../byte-fields.ts';

/** A table of 16-bit registers or of bits; the index is the address. */
interface ModbusTables {
  readonly coils: boolean[];
  readonly discreteInputs: readonly boolean[];
  /** Values of 0 to 65,535. */
  readonly holdingRegisters: number[];
  readonly inputRegisters: readonly number[];
}

export interface ModbusSlave {
  /** Address on the line, 1 to 247. */
  readonly unit: number;
  /** Objects of "Read Device Identification": vendor, product code and revision. */
  readonly identification: readonly [string, string, string];
  /** Tables at `time`, in milliseconds since power on. What was written into one of them stays. */
  tablesAt(time: number): ModbusTables;
}

/** Exception codes (section 7). */
const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;

/** Most bits, and most registers, of one request for reading (sections 6.1 and 6.3). */
const MAX_BITS = 2_000;
const MAX_REGISTERS = 125;
/** Values of a coil that is written by function 5 (section 6.5). */
const COIL_ON = 0xff00;

class ModbusException extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`Modbus exception ${code}`);
    this.code = code;
  }
}

/**
 * Carries out a request and returns the answer, both from the function code on and without checksum.
 *
 * @param request At least the function code.
 */
export function answerOf(slave: ModbusSlave, request: Uint8Array, time: number): Uint8Array {
  const code = request[0] ?? 0;
  try {
    return carryOut(slave, code, request, time);
  } catch (error) {
    if (error instanceof ModbusException) {
      return Uint8Array.of(code | 0x80, error.code);
    }
    throw error;
  }
}

function carryOut(slave: ModbusSlave, code: number, request: Uint8Array, time: number): Uint8Array {
  const tables = slave.tablesAt(time);
  switch (code) {
    case 1:
      return bitsAnswer(code, tables.coils, request);
    case 2:
      return bitsAnswer(code, tables.discreteInputs, request);
    case 3:
      return registersAnswer(code, tables.holdingRegisters, request);
    case 4:
      return registersAnswer(code, tables.inputRegisters, request);
    case 5: {
      const [address, value] = twoWords(request);
      if (value !== 0 && value !== COIL_ON) {
        throw new ModbusException(ILLEGAL_VALUE);
      }
      checkRange(tables.coils, address, 1);
      tables.coils[address] = value === COIL_ON;
      return request.slice();
    }
    case 6: {
      const [address, value] = twoWords(request);
      checkRange(tables.holdingRegisters, address, 1);
      tables.holdingRegisters[address] = value;
      return request.slice();
    }
    case 15: {
      const [address, count] = twoWords(request);
      checkCount(count, MAX_BITS, request, Math.ceil(count / 8));
      checkRange(tables.coils, address, count);
      for (let index = 0; index < count; index++) {
        tables.coils[address + index] = (((request[6 + (index >> 3)] as number) >> (index & 7)) & 1) === 1;
      }
      return request.slice(0, 5);
    }
    case 16: {
      const [address, count] = twoWords(request);
      checkCount(count, MAX_REGISTERS, request, count * 2);
      checkRange(tables.holdingRegisters, address, count);
      for (let index = 0; index < count; index++) {
        tables.holdingRegisters[address + index] = viewOf(request).getUint16(6 + index * 2);
      }
      return request.slice(0, 5);
    }
    case 43:
      return identificationAnswer(slave, request);
    default:
      throw new ModbusException(ILLEGAL_FUNCTION);
  }
}

/** Reads the two words behind the function code: address and count, or address and value. */
function twoWords(request: Uint8Array): [number, number] {
  if (request.length < 5) {
    throw new ModbusException(ILLEGAL_VALUE);
  }
  return [viewOf(request).getUint16(1), viewOf(request).getUint16(3)];
}

function checkCount(count: number, most: number, request: Uint8Array, bytes: number): void {
  if (count === 0 || count > most || request[5] !== bytes || request.length !== 6 + bytes) {
    throw new ModbusException(ILLEGAL_VALUE);
  }
}

function checkRange(table: readonly unknown[], address: number, count: number): void {
  if (address + count > table.length) {
    throw new ModbusException(ILLEGAL_ADDRESS);
  }
}

function bitsAnswer(code: number, table: readonly boolean[], request: Uint8Array): Uint8Array {
  const [address, count] = twoWords(request);
  if (count === 0 || count > MAX_BITS) {
    throw new ModbusException(ILLEGAL_VALUE);
  }
  checkRange(table, address, count);
  const answer = new Uint8Array(2 + Math.ceil(count / 8));
  answer.set([code, answer.length - 2]);
  for (let index = 0; index < count; index++) {
    if (table[address + index]) {
      answer[2 + (index >> 3)] = (answer[2 + (index >> 3)] as number) | (1 << (index & 7));
    }
  }
  return answer;
}

function registersAnswer(code: number, table: readonly number[], request: Uint8Array): Uint8Array {
  const [address, count] = twoWords(request);
  if (count === 0 || count > MAX_REGISTERS) {
    throw new ModbusException(ILLEGAL_VALUE);
  }
  checkRange(table, address, count);
  const answer = new Uint8Array(2 + count * 2);
  answer.set([code, count * 2]);
  for (let index = 0; index < count; index++) {
    viewOf(answer).setUint16(2 + index * 2, table[address + index] as number);
  }
  return answer;
}

/** "Read Device Identification", basic objects (section 6.21): function 43, MEI type 14. */
function identificationAnswer({ identification }: ModbusSlave, request: Uint8Array): Uint8Array {
  const [, type, access, first = 0] = request;
  if (type !== 14) {
    throw new ModbusException(ILLEGAL_FUNCTION);
  }
  if (access !== 1 && access !== 4) {
    throw new ModbusException(ILLEGAL_VALUE);
  }
  // An individual object, or all from `first` on; from the beginning if `first` does not exist.
  if (access === 4 && first >= identification.length) {
    throw new ModbusException(ILLEGAL_ADDRESS);
  }
  const from = first < identification.length ? first : 0;
  const objects = identification
    .map((text, id) => [id, text] as const)
    .slice(from, access === 4 ? from + 1 : undefined);
  const encoded = objects.flatMap(([id, text]) => [id, text.length, ...new TextEncoder().encode(text)]);
  // Conformity level: basic identification, as a stream and by object. Nothing follows.
  return Uint8Array.of(43, 14, access, 0x81, 0, 0, objects.length, ...encoded);
}

/** Looks at a file before a decoder names it: DBC, message definitions of MAVLink, a table of registers. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DecoderFileUse, DecoderRegister } from '@wirebench/contract/decoders';
import { readDbcFile } from './can/dbc-file.ts';
import { MavlinkDefinitionFault, readDefinitions } from './mavlink/definitions.ts';
import { importRegisters } from './steps/modbus/register-import.ts';
import { DecoderError } from './steps/step-files.ts';

/** Largest file in bytes: the largest DBC file that is read. */
export const largestDecoderFile = 32 * 1024 * 1024;

export interface DecoderFileFacts {
  readonly use: DecoderFileUse;
  /** In hex digits. */
  readonly sha256: string;
  /** Parts of the file in numbers: `12 messages, 40 signals`. */
  readonly summary: string;
  /** Sentences about parts that are left out. */
  readonly warnings: readonly string[];
  /** Registers of a table. */
  readonly registers?: readonly DecoderRegister[];
}

/** Returns the SHA-256 of a file in hex digits. */
export const fileHash = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/**
 * Reads a file as a decoder will. Its content decides what it is.
 *
 * @param name Name without a path.
 * @throws DecoderError with a sentence, if it is no file that a decoder reads.
 */
export function readDecoderFile(name: string, bytes: Uint8Array): DecoderFileFacts {
  if (bytes.length > largestDecoderFile) {
    throw new DecoderError(`${name} is larger than 32 MB, the most that a decoder reads.`);
  }
  const head = new TextDecoder().decode(bytes.subarray(0, 1 << 16));
  const read = /^\ufeff?\s*</.test(head) ? readXml : /^\s*(BO_|BU_|VERSION|NS_)/m.test(head) ? readDbc : readTable;
  return { sha256: fileHash(bytes), ...read(name, bytes) };
}

type Read = Omit<DecoderFileFacts, 'sha256'>;

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function readDbc(name: string, bytes: Uint8Array): Read {
  const { messages, faults } = readDbcFile(bytes);
  if (messages.length === 0) {
    throw new DecoderError(`${name} is no DBC file with messages: ${faults[0] ?? 'it has none.'}`);
  }
  const signals = messages.reduce((sum, message) => sum + message.signals.length, 0);
  const summary = `${counted(messages.length, 'message')}, ${counted(signals, 'signal')}`;
  return { use: 'dbc', summary, warnings: faults };
}

/** Message in place of the files that a file includes. They are looked at when all of them are there. */
const placeholder = 'PLACEHOLDER';
const included = `<mavlink><messages><message id="16777215" name="${placeholder}"><field type="uint8_t" name="none"/></message></messages></mavlink>`;
const empty = '<mavlink><messages/></mavlink>';

function readXml(name: string, bytes: Uint8Array): Read {
  const text = new TextDecoder().decode(bytes);
  let includes = 0;
  try {
    const { messages, faults } = readDefinitions(name, (wanted) => {
      if (wanted === name) {
        return text;
      }
      includes++;
      return includes === 1 ? included : empty;
    });
    const own = [...messages.values()].filter((message) => message.name !== placeholder).length;
    const others = includes === 0 ? '' : `, includes ${counted(includes, 'file')}`;
    return { use: 'mavlink', summary: `${counted(own, 'message')}${others}`, warnings: faults };
  } catch (error) {
    if (error instanceof MavlinkDefinitionFault) {
      throw new DecoderError(error.message, { cause: error });
    }
    throw error;
  }
}

function readTable(name: string, bytes: Uint8Array): Read {
  const { registers, faults } = importRegisters(new TextDecoder().decode(bytes));
  if (registers.length === 0) {
    throw new DecoderError(
      `${name} is no DBC file, no message definitions in XML and no table of registers. ${faults[0] ?? ''}`.trim(),
    );
  }
  return { use: 'registers', summary: counted(registers.length, 'register'), warnings: faults, registers };
}

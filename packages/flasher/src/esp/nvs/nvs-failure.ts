/** Refusals of changes to NVS and faults of its CSV files: a code for programs, a sentence and a remedy for people. */
import type { FailureText } from '../../core/flash-failure.ts';

export type NvsFailure =
  | 'nvs-not-readable'
  | 'nvs-encrypted'
  | 'nvs-newer'
  | 'nvs-size'
  | 'nvs-no-free-page'
  | 'nvs-full'
  | 'nvs-sequence-end'
  | 'nvs-name'
  | 'nvs-name-long'
  | 'nvs-number-range'
  | 'nvs-string-long'
  | 'nvs-string-nul'
  | 'nvs-blob-long'
  | 'nvs-version-1'
  | 'nvs-namespaces'
  | 'nvs-no-namespace'
  | 'nvs-no-key'
  | 'nvs-unsafe'
  | 'csv-columns'
  | 'csv-quote'
  | 'csv-type'
  | 'csv-encoding'
  | 'csv-before-namespace'
  | 'csv-twice'
  | 'csv-number'
  | 'csv-hex'
  | 'csv-base64'
  | 'csv-fill'
  | 'csv-fill-long'
  | 'csv-file'
  | 'csv-files';

export const nvsFailureText = {
  'nvs-not-readable': {
    what: 'This is not an NVS partition.',
    remedy: 'Choose the partition that the partition table lists with the subtype nvs.',
  },
  'nvs-encrypted': {
    what: 'The NVS partition is encrypted.',
    remedy: 'Change its values in the firmware, which has the keys.',
  },
  'nvs-newer': {
    what: 'The NVS partition has a format that is newer than version 2.',
    remedy: 'Change its values in the firmware that wrote it.',
  },
  'nvs-size': {
    what: 'The size of an NVS partition must be a multiple of 4 KB.',
    remedy: 'Give the partition a size such as 0x6000. NVS that the firmware changes needs at least 0x3000.',
  },
  'nvs-no-free-page': {
    what: 'The NVS partition has no free page left, and changes need one.',
    remedy: 'Build it again with a larger size, or erase it.',
  },
  'nvs-full': {
    what: 'The NVS partition has not enough space for this change.',
    remedy: 'Delete keys, store a shorter value, or use a larger partition.',
  },
  'nvs-sequence-end': {
    what: 'The page numbers of the NVS partition are used up.',
    remedy: 'Build it again, or erase it.',
  },
  'nvs-name': {
    what: 'A name of a key or namespace needs at least one character, and none may be a control character.',
    remedy: 'Choose another name.',
  },
  'nvs-name-long': {
    what: 'Names of keys and namespaces have at most 15 characters.',
    remedy: 'Choose a shorter name.',
  },
  'nvs-number-range': {
    what: 'The number does not fit into its type.',
    remedy: 'Enter a smaller number, or choose a larger type.',
  },
  'nvs-string-long': {
    what: 'A string has at most 3,999 bytes.',
    remedy: 'Shorten it, or store it as a blob.',
  },
  'nvs-string-nul': {
    what: 'A string must not contain a NUL character.',
    remedy: 'Remove it, or store the value as a blob.',
  },
  'nvs-blob-long': {
    what: 'The blob is larger than this partition allows.',
    remedy: 'Store less, or use a larger partition. No blob has more than 508,000 bytes.',
  },
  'nvs-version-1': {
    what: 'This NVS has version 1, in which strings have at most 1,983 bytes and blobs 1,984.',
    remedy: 'Store less. Firmware of ESP-IDF before 3.2 cannot read longer values.',
  },
  'nvs-namespaces': {
    what: 'An NVS partition has at most 254 namespaces.',
    remedy: 'Delete a namespace first.',
  },
  'nvs-no-namespace': { what: 'There is no namespace with this name.', remedy: 'Read the partition again.' },
  'nvs-no-key': { what: 'There is no key with this name.', remedy: 'Read the partition again.' },
  'nvs-unsafe': {
    what: 'The damage in this NVS partition does not let it be changed safely.',
    remedy: 'Save the keys as CSV, erase the partition, and take the keys over from the CSV.',
  },
  'csv-columns': {
    what: 'The first line must name the columns key, type, encoding and value.',
    remedy: 'Begin the file with the line key,type,encoding,value. Separate the columns by commas.',
  },
  'csv-quote': {
    what: 'A quoted value is not closed.',
    remedy: 'End it with a quotation mark, and write two for each one inside of it.',
  },
  'csv-type': {
    what: 'The type must be namespace, data or file.',
    remedy: 'Correct the second column.',
  },
  'csv-encoding': {
    what: 'This encoding is unknown.',
    remedy: 'Use u8, i8, u16, i16, u32, i32, u64, i64, string, hex2bin, base64, binary, blob_fill or blob_sz_fill.',
  },
  'csv-before-namespace': {
    what: 'There is a key before the first namespace.',
    remedy: 'Put a line such as wifi,namespace,, in front of it.',
  },
  'csv-twice': { what: 'The key is listed twice in its namespace.', remedy: 'Remove one of the two lines.' },
  'csv-number': { what: 'The value is not a whole decimal number.', remedy: 'Correct the fourth column.' },
  'csv-hex': {
    what: 'The value is not an even number of hexadecimal digits.',
    remedy: 'Correct the fourth column.',
  },
  'csv-base64': { what: 'The value is not valid Base64.', remedy: 'Correct the fourth column.' },
  'csv-fill': {
    what: 'This encoding needs a length and a byte.',
    remedy: 'Write it like blob_fill(64;0x00).',
  },
  'csv-fill-long': {
    what: 'The value is longer than the length of its encoding.',
    remedy: 'Shorten the value, or correct the third column.',
  },
  'csv-file': {
    what: 'The line takes its value from a file that was not added.',
    remedy: 'Add that file together with the CSV, or put its bytes into the CSV as hex2bin or base64.',
  },
  'csv-files': {
    what: 'The line takes its value from a file, and the folders do not tell which of the given files it is.',
    remedy:
      'Give the files in the folders that the CSV names, or name each file there with the folder that it is in. Bytes may also be in the CSV, as hex2bin or base64.',
  },
} satisfies Record<NvsFailure, FailureText>;

interface NvsErrorOptions extends ErrorOptions {
  /** Line of a CSV file, counted from 1. */
  readonly line?: number;
  /** `namespace/key`, a namespace, or the path of a file. Values are never part of an error. */
  readonly where?: string;
}

/** Refusal of a change to NVS, or a fault of a CSV file. Its message is the sentence, preceded by the place if known. */
export class NvsError extends Error {
  readonly code: NvsFailure;
  readonly line: number | null;
  readonly where: string | null;

  constructor(code: NvsFailure, { line, where, ...options }: NvsErrorOptions = {}) {
    const place = [...(line === undefined ? [] : [`Line ${line}`]), ...(where === undefined ? [] : [where])];
    super([...place, nvsFailureText[code].what].join(': '), options);
    this.name = 'NvsError';
    this.code = code;
    this.line = line ?? null;
    this.where = where ?? null;
  }
}

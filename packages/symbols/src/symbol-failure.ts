/** Reason why a file cannot be used for address lookups: a code for programs, with a text for users below. */
export type SymbolFailure =
  | 'not-elf'
  | 'truncated'
  | 'not-linked'
  | 'unsupported-compression'
  | 'damaged-section'
  | 'no-symbols';

const symbolFailureText = {
  'not-elf': 'This is not an ELF file. Drop the .elf file that your build wrote, not the .bin that is flashed.',
  truncated: 'This ELF file ends too early. Copy it again, or build again.',
  'not-linked': 'This is an object file that has not been linked yet. Drop the .elf file of the whole program.',
  'unsupported-compression':
    'The debug information of this file is compressed in a way that browsers cannot read. Build with zlib or without.',
  'damaged-section': 'The debug information of this file is damaged. Build again.',
  'no-symbols': 'This ELF file has neither debug information nor symbols. Build with -g and do not strip it.',
} satisfies Record<SymbolFailure, string>;

export class SymbolFileError extends Error {
  readonly code: SymbolFailure;

  constructor(code: SymbolFailure, options?: ErrorOptions) {
    super(symbolFailureText[code], options);
    this.name = 'SymbolFileError';
    this.code = code;
  }
}

/** Reasons for which a core dump cannot be read, each with a code for programs and a text for people. */
export type CoreFailure =
  | 'no-dump'
  | 'empty'
  | 'truncated'
  | 'checksum'
  | 'unknown-version'
  | 'unreadable'
  | 'foreign'
  | 'not-a-core'
  | 'unknown-machine'
  | 'damaged'
  | 'too-large';

export const whatToDrop =
  'Drop the text between CORE DUMP START and CORE DUMP END (Zephyr: #CD:BEGIN# and #CD:END#), the content of the coredump partition, or an ELF core file.';

const coreFailureText = {
  'no-dump': `There is no core dump here. ${whatToDrop}`,
  empty: 'The coredump partition is empty: the board has saved no crash since it was erased.',
  truncated:
    'This core dump ends too early. Copy all of it, from CORE DUMP START to CORE DUMP END, or read the partition again.',
  checksum:
    'The checksum of this core dump is wrong: some of it was lost or changed on the way. Copy or read it again.',
  'unknown-version': 'This core dump has a version that Wirebench does not know.',
  unreadable:
    'This is not a core dump that can be read. If the board encrypts its flash, its coredump partition is encrypted as well.',
  foreign: `This is not a core dump. ${whatToDrop}`,
  'not-a-core':
    'This is an ELF file, but not a core file. The ELF file of the program goes beside the core dump, not in its place.',
  'unknown-machine': 'This core dump is of a processor that Wirebench does not know.',
  damaged:
    'This core dump is damaged: some of it was lost or changed on the way. Copy all of it again, or read the partition again.',
  'too-large': 'This file is too large for a core dump.',
} satisfies Record<CoreFailure, string>;

interface CoreFailureDetails extends ErrorOptions {
  /** First line of the text that is not part of a dump. */
  readonly line?: { readonly number: number; readonly text: string } | undefined;
  /** Number of bytes announced by the header but missing. */
  readonly missing?: number;
  /** Replaces the text of the code with a more precise one. */
  readonly text?: string;
}

/** Maximum characters of a quoted line. */
const MAX_QUOTED = 40;

export class CoreDumpError extends Error {
  readonly code: CoreFailure;

  constructor(code: CoreFailure, { line, missing, text = coreFailureText[code], ...options }: CoreFailureDetails = {}) {
    super([text, ...detailTexts({ line, missing })].join(' '), options);
    this.name = 'CoreDumpError';
    this.code = code;
  }
}

function detailTexts({
  line,
  missing = 0,
}: {
  line?: CoreFailureDetails['line'];
  missing?: number | undefined;
}): string[] {
  const quoted = line && (line.text.length > MAX_QUOTED ? `${line.text.slice(0, MAX_QUOTED)}…` : line.text);
  return [
    ...(missing > 0
      ? [missing === 1 ? '1 byte is missing.' : `${missing.toLocaleString('en')} bytes are missing.`]
      : []),
    ...(line === undefined ? [] : [`Line ${line.number} does not fit: ‘${quoted}’.`]),
  ];
}

/** `wirebench crash`: the crashes of a log or of a core dump, with what the ELF files of the firmware know of them. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { chipFacts, chipOfId } from '@wirebench/flasher/esp/chips';
import { fileText } from '@wirebench/port/given-text';
import {
  addressesOf,
  addressRows,
  blobSource,
  CoreDumpError,
  causeHint,
  causeTitle,
  crashesOfLog,
  decodeIn,
  dumpVerdict,
  explainedLines,
  type Frame,
  factsOf,
  type Incident,
  isCrash,
  isGuess,
  isWrongFile,
  type LogCrash,
  lineOf,
  type NumberedFile,
  openProgramFile,
  printedDump,
  type ReportAnswer,
  type ReportedTask,
  readCoreDump,
  reportIn,
  reportText,
  resetName,
  resetOf,
  rowTexts,
  SymbolFileError,
  taskText,
  titleOf,
  verdictOf,
  verdictText,
} from '@wirebench/symbols';
import { listOf, type OptionValues } from './commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { readGiven, readStandardInput } from './given-file.ts';
import { interruption } from './interruption.ts';
import { printable } from './printable.ts';

/** ELF files by the number of their place on the command line. */
export interface GivenFiles {
  readonly files: readonly NumberedFile[];
  readonly names: readonly string[];
}

/** A crash as it is printed. */
interface ToldCrash {
  /** Number of its first line; null for a core dump without a log. */
  readonly line: number | null;
  readonly title: string;
  /** True: nothing in it had to be looked up, or an ELF file that may be the right one was. */
  readonly isDecoded: boolean;
  /** Its first line in the log; empty without a log. */
  readonly head: readonly string[];
  /** Sentences, places and variables; the text of a dump has line breaks. */
  readonly lines: readonly string[];
  readonly facts: object;
}

const ask = (wanted: string) => `Name ${wanted} with --elf`;

export async function runCrash([log = '']: readonly string[], options: OptionValues): Promise<ExitCode> {
  const ended = interruption();
  ended.signal.addEventListener('abort', () => process.exit(ended.exitCode()));
  const { elf } = options;
  const files = listOf(elf);
  const bytes = log === '-' ? await readStandardInput() : await readGiven(log);
  const name = log === '-' ? 'standard input' : basename(log);
  const { crashes, restarts, failures, omitted, text, missing } = await explainLog(bytes, name, files);
  if (options['json'] === true) {
    const told = crashes.map(({ line, title, isDecoded, facts }) => ({ line, title, decoded: isDecoded, ...facts }));
    process.stdout.write(`${JSON.stringify({ crashes: told, restarts, failures, omitted }, null, 2)}\n`);
  } else {
    process.stdout.write(text);
  }
  for (const failure of failures) {
    process.stderr.write(`wirebench: ${printable(failure)}\n`);
  }
  if (omitted > 0) {
    process.stderr.write(`wirebench: ${omittedText(omitted)}\n`);
  }
  if (missing !== null) {
    throw new CommandError(exitCodes.failed, missing);
  }
  return exitCodes.ok;
}

export const omittedText = (omitted: number) => `${omitted} older crashes and restarts are left out.`;

/** The crashes of a log, and what is said of them. */
export interface ExplainedLog extends Found {
  /** The crashes as text; empty without one. */
  readonly text: string;
  /** Sentence about what the log or the files lack; null if a crash is explained. */
  readonly missing: string | null;
}

/**
 * Explains the crashes of a log, of a core dump or of an ELF core file.
 *
 * @param name Name of the log in sentences.
 * @param elf Paths of ELF files.
 * @throws CommandError for a file that cannot serve.
 */
export async function explainLog(bytes: Uint8Array, name: string, elf: readonly string[]): Promise<ExplainedLog> {
  const given = await openFiles(elf);
  const all = await crashesIn(bytes, name, given);
  const { crashes, restarts } = all;
  const parts = crashes.map(({ head, lines }) => [...head, ...lines].join('\n'));
  const text = parts.map((part) => `${part.split('\n').map(printable).join('\n').trimEnd()}\n`).join('\n');
  return { ...all, text, missing: missingText() };

  function missingText(): string | null {
    if (crashes.length === 0) {
      const [first, ...more] = restarts;
      const times = more.length === 0 ? 'once' : `${restarts.length} times`;
      const others = first === undefined ? '' : ` The board restarted ${times}.`;
      return `there is no crash in ${name}.${others}`;
    }
    const isUnknown = given.files.length > 0 && crashes.every(({ isDecoded }) => !isDecoded);
    return isUnknown ? 'no ELF file is of the firmware that crashed.' : null;
  }
}

/** @throws CommandError for a file that cannot serve. */
export async function openFiles(paths: readonly string[]): Promise<GivenFiles> {
  const files: NumberedFile[] = [];
  for (const [id, path] of paths.entries()) {
    await refuseFolder(path);
    const source = blobSource(new Blob([await readGiven(path)]));
    const file = await openProgramFile(source).catch((error: unknown) => {
      throw error instanceof SymbolFileError ? new CommandError(exitCodes.usage, `${path}: ${error.message}`) : error;
    });
    files.push({ id, file });
  }
  return { files, names: paths };
}

/** @throws CommandError for a folder, with the ELF files in it. */
async function refuseFolder(path: string): Promise<void> {
  const names = await readdir(path).catch(() => null);
  if (names === null) {
    return;
  }
  const files = names.filter((name) => name.endsWith('.elf')).map((name) => join(path, name));
  const advice = files.length === 0 ? 'name an ELF file in it.' : `name its ELF file, such as ${files.join(' or ')}.`;
  throw new CommandError(exitCodes.usage, `${path} is a folder: ${advice}`);
}

/**
 * Returns the crashes in what a board has sent, as they are printed; empty without one.
 *
 * @param bytes Text of a console.
 */
export async function crashTextOf(bytes: Uint8Array, given: GivenFiles): Promise<string> {
  const { crashes } = await crashesIn(bytes, 'the log', given);
  return crashes.map(({ head, lines }) => [...head, ...lines].join('\n').trimEnd()).join('\n\n');
}

interface Found {
  readonly crashes: readonly ToldCrash[];
  readonly restarts: readonly { readonly line: number; readonly title: string }[];
  /** Sentences about core dumps that cannot be read. */
  readonly failures: readonly string[];
  /** Number of crashes and restarts that were left out. */
  readonly omitted: number;
}

/**
 * Finds and decodes the crashes of a log, of a partition with a core dump, or of an ELF core file.
 *
 * @param name Name of the bytes in sentences.
 */
export async function crashesIn(bytes: Uint8Array, name: string, given: GivenFiles): Promise<Found> {
  const text = fileText(bytes);
  const { crashes: logged, omitted } = text === null ? { crashes: [], omitted: 0 } : crashesOfLog(text, Date.now());
  const failures: string[] = [];
  const crashes: ToldCrash[] = [];
  const inLog = logged.filter(({ incident, dump }) => dump !== null || incident === null || isCrash(incident));
  for (const crash of inLog) {
    const told = crash.dump === null ? null : await dumpOf(encoded(crash.dump.text), failures);
    if (told !== null) {
      crashes.push(await toldDump(told, `the core dump at line ${crash.dump?.line}`, crash, given));
    } else if (crash.incident !== null) {
      crashes.push(await toldIncident(crash.incident, given));
    }
  }
  if (inLog.every(({ dump }) => dump === null)) {
    // A dump without its marks, a partition, or an ELF core file.
    const whole = await dumpOf(bytes, failures, text !== null);
    if (whole !== null) {
      crashes.push(await toldDump(whole, name, null, given));
    }
  }
  const restarts = logged.flatMap(({ incident }) =>
    incident === null || isCrash(incident) ? [] : [{ line: lineNumber(incident), title: titleOf(incident) }],
  );
  return { crashes, restarts, failures, omitted };
}

const encoded = (text: string) => new TextEncoder().encode(text);
const lineNumber = (incident: Incident) => lineOf({ incident, dump: null });

/**
 * Returns null for a dump that cannot be read.
 *
 * @param mayLack True: the bytes may be a log without a dump, which is no failure.
 */
async function dumpOf(bytes: Uint8Array, failures: string[], mayLack = false) {
  try {
    return await readCoreDump(bytes);
  } catch (error) {
    if (!(error instanceof CoreDumpError)) {
      throw error;
    }
    if (!mayLack || (error.code !== 'no-dump' && error.code !== 'foreign')) {
      failures.push(error.message);
    }
    return null;
  }
}

/** @param crash The dump's crash in the log; null without a log. */
async function toldDump(
  dump: Parameters<typeof reportIn>[1],
  name: string,
  crash: LogCrash | null,
  { files, names }: GivenFiles,
): Promise<ToldCrash> {
  const answer = await reportIn(files, dump);
  const { report } = answer;
  const verdict = dumpVerdict(answer, (id) => names[id], ask);
  const chip = report.chipId === null ? null : chipOfId(report.chipId);
  const label = chip === null ? null : chipFacts[chip].label;
  const incident = crash?.incident ?? null;
  // The dump says the rest itself.
  const said = incident === null ? [] : saidLines(incident).filter((line) => line !== causeHint(report));
  return {
    line: crash === null ? null : lineOf(crash),
    title: causeTitle(report),
    isDecoded: answer.file !== null,
    head: headLine(crash),
    lines: [...said, reportText(report, [...factsOf(report, name, label), marked(verdict.text, verdict.isWarning)])],
    facts: {
      ...(incident !== null && incidentFacts(incident)),
      build: report.appHash,
      chip: label ?? incident?.chip ?? null,
      verdict: { match: answer.match, text: verdict.text },
      dump: dumpFacts(answer, names),
    },
  };
}

async function toldIncident(incident: Incident, given: GivenFiles): Promise<ToldCrash> {
  const { files, names } = given;
  const addresses = addressesOf(incident);
  const answer = files.length === 0 ? { places: [], matches: {} } : decodeIn(files, addresses, incident.hash);
  const machines = files.map(({ file }) => file.symbols.machine);
  const verdict = verdictOf({ machines, ...answer, chip: incident.chip });
  const isWrong = verdict !== null && isWrongFile(verdict);
  const dump = printedDump(incident.lines, incident.hash);
  const unwound = dump === null ? null : await reportIn(files, dump);
  const task = unwound === null || unwound.file === null ? undefined : unwound.report.tasks[0];
  const { rows } = addressRows(addresses, answer.places);
  // The remaining words of an unwound stack are leftovers.
  const shown = task === undefined || task.memory === null ? rows : rows.filter((row) => row.address.role !== 'stack');
  const build = addresses.length === 0 || verdict === null ? null : verdictText(verdict, ask);
  return {
    line: lineNumber(incident),
    title: titleOf(incident),
    isDecoded: addresses.length === 0 || !isWrong,
    head: headLine({ incident, dump: null }),
    lines: [
      ...saidLines(incident),
      ...(incident.hash === null ? [] : [`ELF file SHA256: ${incident.hash}`]),
      ...(build === null ? [] : [marked(build, isWrong)]),
      ...rowTexts(shown),
      ...(task === undefined ? [] : ['', taskText(task)]),
    ],
    facts: {
      ...incidentFacts(incident),
      build: incident.hash,
      chip: incident.chip,
      verdict: build === null ? null : { match: verdict, text: build },
      addresses: shown.map(({ address, label, core = null, place }) => ({
        address: address.value,
        label,
        core,
        elf: place === null ? null : names[place.file],
        places: place?.frames.map(placeFacts) ?? [],
      })),
      tasks: task === undefined ? [] : [taskFacts(task)],
    },
  };
}

/** Returns the line of the log at which a crash begins; empty without a log. */
function headLine(crash: LogCrash | null): readonly string[] {
  const [first] = crash?.incident?.lines ?? [];
  return crash === null ? [] : [`Line ${lineOf(crash)}: ${first?.text.trim() ?? 'core dump'}`];
}

const marked = (text: string, isWarning: boolean) => (isWarning ? `Warning: ${text}` : text);

/** Returns what the log says of a crash: its title, and the sentences about its lines. */
function saidLines(incident: Incident): readonly string[] {
  const reset = resetOf(incident);
  const said = explainedLines(incident).map(({ kind, sentence, text, isMissing }) =>
    kind === 'reset' ? `${resetName(text)} ${sentence}`.trim() : marked(sentence, isMissing),
  );
  const silent = reset !== null && reset.sentence === undefined ? [reset.text] : [];
  return [titleOf(incident), ...said, ...silent];
}

const incidentFacts = (incident: Incident) => ({
  severity: incident.severity,
  said: explainedLines(incident).map(({ sentence }) => sentence),
  log: incident.lines.map(({ sequence, kind, text }) => ({ line: sequence, kind, text })),
});

function dumpFacts({ report, file }: ReportAnswer, names: readonly string[]) {
  const { tasks, chipId: _chip, fingerprint: _fingerprint, appHash: _hash, skipped = [], ...facts } = report;
  return { ...facts, skipped, elf: file === null ? null : names[file], tasks: tasks.map(taskFacts) };
}

const placeFacts = ({ name, file, line }: Frame) => ({
  function: name ?? null,
  file: file ?? null,
  line: line ?? null,
});

/** The task without the bytes of its stack. */
const taskFacts = ({ memory: _memory, frames, ...task }: ReportedTask) => ({
  ...task,
  frames: frames.map(({ pc, sp, source, places, registers }) => ({
    pc,
    sp,
    source,
    guess: isGuess(source),
    places: places.map((place) => ({
      ...placeFacts(place),
      variables: (place.variables ?? []).map(({ name, type, value, isKnown, isParameter }) => ({
        name,
        type,
        value: isKnown ? value : null,
        unknown: isKnown ? null : value,
        parameter: isParameter,
      })),
    })),
    registers,
  })),
});

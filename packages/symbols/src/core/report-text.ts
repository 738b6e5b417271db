/** Texts about a core dump: the cause of the crash, the way a frame was found, and the whole report as text. */
import { functionText, placeText } from '../incident/crash-text.ts';
import { starvedTasks, starvedTitle } from '../panic/task-watchdog.ts';
import type { Frame } from '../symbol-file.ts';
import { type FrameSource, isGuess, type StackEnd } from '../unwind/stack-frame.ts';
import { wordText } from '../word-text.ts';
import type { CrashReport, ReportedFrame, ReportedPlace, ReportedTask, ReportedVariable } from './crash-report.ts';

export const sourceText = {
  registers: 'Registers of the task',
  'call-frames': 'Call frame table',
  'exception-index': 'Exception index',
  'exception-index-guess': 'Guess: exception index, in interrupted code',
  'exception-frame': 'Registers saved by the exception',
  window: 'Saved register window',
  'link-register': 'Guess: return address in the link register',
  scan: 'Guess: return address on the stack',
  'behind-guess': 'Guess: found from a guessed frame',
} satisfies Record<FrameSource, string>;

const endTexts = {
  whole: null,
  unknown: 'The stack goes on, but nothing tells where the next frame is.',
  corrupt: 'The stack is damaged from here on: the next frame cannot be right.',
  'too-many': 'More than 128 frames: most often a function that calls itself without end.',
} satisfies Record<StackEnd, string | null>;

/** Returns the reason why the frames of a task end; null without a remark. */
export function endText({ end, memory, frames }: ReportedTask): string | null {
  const hasLink = frames[0]?.registers.some(({ name }) => name === 'lr') ?? false;
  if (end === 'unknown' && memory === null && hasLink) {
    return frames.length === 1
      ? 'Only registers are known, not the stack: this is the frame that stopped. LR names no caller.'
      : 'Only registers are known, not the stack: these are the frame that stopped and the caller that LR names.';
  }
  return end === null ? null : endTexts[end];
}

/** Returns the task's name. A dump of Zephyr has one thread without a name. */
export const taskName = ({ name, tcb }: ReportedTask): string =>
  name ?? (tcb === 0 ? 'Crashed thread' : `Task ${wordText(tcb)}`);

/** Returns the frame's function, or its address if no ELF file knows the address. */
export const frameName = ({ places, pc }: { readonly places: readonly Frame[]; readonly pc: number }): string => {
  const [innermost] = places;
  return innermost === undefined ? wordText(pc) : functionText(innermost);
};

/** Returns the last folder and the file, `esp_system/panic.c:472`. The folders above are those of the build machine. */
export const shortPlace = (frame: Frame): string => placeText(frame).split(/[\\/]/).slice(-2).join('/');

/** Returns the cause of the crash in one sentence. */
export function causeTitle(report: CrashReport): string {
  const { panicDetails, exception, inInterrupt } = report;
  const crashed = report.tasks.find((task) => task.crashed);
  const task = crashed?.name === null ? `the task at ${wordText(crashed.tcb)}` : `task ${crashed?.name}`;
  const isKnown = crashed !== undefined && (crashed.name !== null || crashed.tcb !== 0);
  const where = inInterrupt ? ' in an interrupt' : isKnown ? ` in ${task}` : '';
  const over = crashed === undefined ? 0 : stackOver(crashed);
  if (over > 0) {
    return `Stack overflow${where}: ${over} bytes over its end`;
  }
  const starved = starvedTasks(panicDetails ?? '');
  if (starved.length > 0) {
    // The dump's task is the one that ran then, not the task that the title names.
    const running = inInterrupt ? 'an interrupt' : crashed === undefined ? null : task;
    return `${starvedTitle(starved)}${running === null ? '' : `, while ${running} ran`}`;
  }
  if (panicDetails !== null) {
    return `${panicDetails.split('\n')[0]?.trim() ?? ''}${where === '' ? '' : ','}${where}`;
  }
  if (exception === null) {
    return `The board crashed${where}`;
  }
  const name = exception.name ?? `Exception ${exception.number}`;
  return `${name}${exception.address === null ? '' : ` at address ${wordText(exception.address)}`}${where}`;
}

/**
 * Returns the most frequent meaning of the exception. A panic message replaces it: `abort` stops the program by an
 * invalid access on purpose.
 */
export const causeHint = ({ panicDetails, exception }: CrashReport): string | null =>
  panicDetails === null ? (exception?.sentence ?? null) : null;

/** Returns the stack usage in bytes, as in `592 of 4 092 bytes`. Null if unknown. */
export function stackShare({ stack }: ReportedTask): { readonly used: number; readonly size: number } | null {
  return stack === null ? null : { used: stack.used, size: stack.high - stack.low };
}

/** Returns the bytes that a task has used beyond its stack, according to its stack pointer. */
function stackOver(task: ReportedTask): number {
  const share = stackShare(task);
  return share === null ? 0 : Math.max(0, share.used - share.size);
}

/** Returns the report as text for an issue or a message. */
export function reportText(report: CrashReport, facts: readonly string[]): string {
  return [causeTitle(report), causeHint(report), ...facts, ...report.tasks.map((task) => `\n${taskText(task)}`)]
    .filter((part) => part !== null && part !== '')
    .join('\n');
}

/** Returns a task with its frames and their variables, as lines. */
export function taskText(task: ReportedTask): string {
  const share = stackShare(task);
  const facts = [
    task.crashed ? 'crashed' : null,
    task.priority === null ? null : `priority ${task.priority}`,
    share === null ? null : `stack ${share.used} of ${share.size} bytes`,
  ].filter((fact) => fact !== null);
  const frames = task.frames.flatMap(frameLines);
  const end = endText(task);
  return [
    `${taskName(task)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
    ...frames,
    ...(end === null ? [] : [end]),
  ].join('\n');
}

/** Returns the place of a variable: in a register, on the stack of its frame, or elsewhere in memory. */
export function variablePlaceText({ place }: ReportedVariable, { sp, frameEnd }: ReportedFrame): string {
  switch (place?.kind) {
    case undefined:
      return '';
    case 'register':
      return place.name;
    case 'constant':
      return 'constant';
    case 'pieces':
      return 'in several places';
    case 'memory': {
      const isOnStack = frameEnd !== null && place.address >= sp && place.address < frameEnd;
      return isOnStack ? `stack, sp + ${place.address - sp}` : wordText(place.address);
    }
  }
}

function frameLines(frame: ReportedFrame, index: number): string[] {
  const { places, pc, source } = frame;
  const guess = isGuess(source) ? ' (a guess)' : '';
  const [first, ...callers] = places;
  const head = `#${index}  ${wordText(pc)}`;
  return [
    first === undefined ? `${head}${guess}` : `${head} ${functionText(first)} at ${placeText(first)}${guess}`,
    ...(first === undefined ? [] : variableLines(first)),
    ...callers.flatMap((caller) => [
      `    inlined by ${functionText(caller)} at ${placeText(caller)}`,
      ...variableLines(caller),
    ]),
  ];
}

function variableLines({ variables }: ReportedPlace): string[] {
  return (variables ?? []).map(({ name, value, isKnown }) => `      ${name} = ${isKnown ? value : `<${value}>`}`);
}

const checksumTexts = { crc32: 'checksum correct (CRC-32)', sha256: 'checksum correct (SHA-256)' };

const machineNames = {
  xtensa: 'an Xtensa chip',
  riscv: 'a RISC-V chip',
  arm: 'an ARM chip',
} satisfies Record<CrashReport['machine'], string>;

/**
 * Returns the chip of a dump in the vendor's spelling, or the architecture if the chip is unknown.
 *
 * @param label Vendor's spelling of the chip that the dump names; null for other dumps and unknown chips.
 */
export const chipName = ({ machine }: Pick<CrashReport, 'machine'>, label: string | null): string =>
  label ?? machineNames[machine];

/** Longest part of a line that is quoted, in characters. */
const MAX_QUOTED = 24;
const shortened = (text: string) => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/**
 * Returns the facts of a dump apart from its tasks: chip, checksum, program.
 *
 * @param name Name of the dump's file.
 * @param label See `chipName`.
 */
export function factsOf(report: CrashReport, name: string, label: string | null): string[] {
  const { chipRevision, checksum, appHash, skipped = [] } = report;
  const revision = chipRevision === null ? '' : ` revision ${Math.floor(chipRevision / 100)}.${chipRevision % 100}`;
  return [
    name,
    `${chipName(report, label)}${revision}`,
    checksum === null ? 'no checksum' : checksumTexts[checksum],
    ...(appHash === null ? [] : [`ELF file ${appHash}`]),
    ...skipped.map(
      ({ number, text }) => `line ${number} is not part of the dump and was left out: ‘${shortened(text)}’`,
    ),
  ];
}

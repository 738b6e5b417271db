/**
 * Builds the report of a crash for the publisher, cut to the limits of the API. It contains no registers and no
 * variables. Memory is included only as the core dump, if the user chose to send it.
 */
import { crashLimits, type NewCrashReport, readableLine } from '@wirebench/contract';
import {
  type CrashReport,
  causeTitle,
  chipName,
  isGuess,
  type ReportedFrame,
  type ReportedTask,
} from '@wirebench/symbols';
import { textHash } from '../../../../../shared/files/content-hash.ts';
import { chipLabel } from '../../../../../workbench/crash/view/dump-facts.ts';

type SentTask = NewCrashReport['tasks'][number];
type SentFrame = SentTask['frames'][number];

export interface CrashPayloadParts {
  /** Id of this crash. Must be the same for each attempt to send it. */
  readonly id: string;
  /** Id of the version's build that the board runs; null if it is unknown, or the version has no builds. */
  readonly buildId: string | null;
  /** Core dump in base64. Null: it is not sent. */
  readonly memory: string | null;
}

/**
 * Identifies equal crashes by their cause and the functions of `CrashReport.fingerprint`. Addresses and lines are
 * excluded, because they change with each build. Without known functions, addresses are used: they are equal only for
 * the same build.
 */

/** Number of frames used if no function is known. Deeper frames are the same for many crashes. */
const FRAMES = 5;

/** Returns the fingerprint as 16 hexadecimal digits. */
export function crashFingerprint({ exception, fingerprint, panicDetails, tasks }: CrashReport): string {
  const [said = ''] = (panicDetails ?? '').split('\n');
  const what = panicDetails === null ? (exception?.name ?? `exception ${exception?.number ?? 'unknown'}`) : said.trim();
  if (fingerprint !== null) {
    return textHash(`${what.replaceAll(/0x[\da-f]+|\b\d+\b/gi, '#')}\n${fingerprint}`);
  }
  const frames = tasks.find(({ crashed }) => crashed)?.frames ?? [];
  return textHash([what, ...frames.slice(0, FRAMES).map(({ pc }) => pc.toString(16))].join('\n'));
}

export function crashPayload(report: CrashReport, { id, buildId, memory }: CrashPayloadParts): NewCrashReport {
  const { chipRevision, appHash, panicDetails } = report;
  return {
    id,
    fingerprint: crashFingerprint(report),
    chip: chipName(report, chipLabel(report)),
    chipRevision,
    build: appHash,
    ...(buildId !== null && { buildId }),
    cause: cut(readableLine(causeTitle(report)), crashLimits.causeMaxLength),
    details: cut((panicDetails ?? '').replaceAll('\u0000', '').trim(), crashLimits.detailsMaxLength),
    tasks: fitted(report.tasks.slice(0, crashLimits.tasks).map((task) => sentTask(task, crashLimits.frames))),
    memory,
  };
}

/**
 * Shortens the stacks until they fit `crashLimits.tasksLength`. First removes outer frames of the other tasks, then
 * these tasks, then outer frames of the crashed task.
 *
 * @param tasks Crashed task first.
 */
function fitted(tasks: readonly SentTask[]): SentTask[] {
  const [crashed, ...others] = tasks;
  const tries = [
    tasks,
    ...[8, 2].map((most) => shortened(crashed, others, crashLimits.frames, most)),
    ...[16, 8, 4].map((most) => shortened(crashed, [], most, 0)),
  ];
  return [...(tries.find((one) => JSON.stringify(one).length <= crashLimits.tasksLength) ?? [])];
}

function shortened(
  crashed: SentTask | undefined,
  others: readonly SentTask[],
  most: number,
  ofOthers: number,
): SentTask[] {
  return crashed === undefined
    ? []
    : [
        { ...crashed, frames: crashed.frames.slice(0, most) },
        ...others.map((task) => ({ ...task, frames: task.frames.slice(0, ofOthers) })),
      ];
}

function sentTask({ name, crashed, stack, frames }: ReportedTask, most: number): SentTask {
  return {
    name: name === null ? null : nameOf(name),
    crashed,
    stackUsed: stack === null ? null : Math.max(0, stack.used),
    stackSize: stack === null ? null : Math.max(0, stack.high - stack.low),
    frames: frames.slice(0, most).map(sentFrame),
  };
}

function sentFrame({ pc, source, places }: ReportedFrame): SentFrame {
  return {
    pc,
    guess: isGuess(source),
    places: places.slice(0, crashLimits.places).map(({ name, file, line }) => ({
      function: name === undefined ? null : nameOf(name),
      file: file === undefined ? null : nameOf(shortPath(file)),
      line: line ?? 0,
    })),
  };
}

/** Keeps the file and its last two folders. The folders above belong to the build machine. */
const shortPath = (file: string): string => file.split(/[\\/]/).slice(-3).join('/');

const nameOf = (name: string): string => cut(readableLine(name), crashLimits.nameMaxLength);

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * Encodes bytes as base64. `btoa` needs a string with one byte per character, which is built in chunks to limit the
 * arguments.
 */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

/**
 * Gives decoders of a person's own to ports, with their files, and takes files for them. Loaded when the first one is chosen or
 * opened.
 */
import {
  checkDecoder,
  type DecoderContent,
  type DecoderFileUse,
  type DecoderStep,
  decoderLimits,
} from '@wirebench/contract/decoders';
import { fieldsOf, isRecord, parseJson } from '@wirebench/contract/json';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { DecoderAnswer } from '../../protocol/bench/frame-part.ts';
import { pageStore } from '../../shared/page-store.ts';
import { getBench } from '../bench.ts';
import { keepFile, keptFiles, onFilesChange, sweepFiles } from './decoder-files.ts';
import type { OwnDecoderId } from './decoder-id.ts';
import { decoderText } from './decoder-text.ts';
import { changeKept, hasStep, keptDecoder, keptDecodersNow, onKeptChange, titleOf } from './kept-decoders.ts';
import { sayTakenApart } from './taken-apart.ts';

export type NamedFile = DecoderContent['files'][number];

/** Result of giving a decoder to a port. */
export type DecoderState =
  /** @property title Title of the decoder whose frames the port shows. */
  { readonly kind: 'applied'; readonly id: OwnDecoderId; readonly title: string } | DecoderProblem;

/** Reason why a port shows lines in place of the frames of its decoder. */
export type DecoderProblem =
  | { readonly kind: 'gone' }
  | { readonly kind: 'missing'; readonly title: string; readonly files: readonly NamedFile[] }
  | { readonly kind: 'refused'; readonly title: string; readonly reason: string };

/** Null: the port has no decoder of a person's own, or its answer has not come yet. */
const states = pageStore(
  Object.fromEntries(portNumbers.map((port) => [port, null])) as Record<PortNumber, DecoderState | null>,
);

export const useDecoderStates = () => states.use((all) => all);

export function useDecoderProblem(port: PortNumber): DecoderProblem | null {
  return states.use(({ [port]: state }) => (state === null || state.kind === 'applied' ? null : state));
}

/** Pause in ms after the last key before a port gets what was typed. */
const settleTime = 300;

/** Files that a decoder's text names. Entries that name none are left out. */
export function namedFiles(text: string): readonly NamedFile[] {
  const { files } = fieldsOf(parseJson(text));
  return (Array.isArray(files) ? files : []).filter(
    (file): file is NamedFile =>
      isRecord(file) &&
      ['use', 'name', 'sha256'].every((part) => typeof file[part] === 'string') &&
      /^[\da-f]{64}$/.test(String(file['sha256'])),
  );
}

let isSwept = false;

function sweepOnce(): void {
  if (!isSwept) {
    isSwept = true;
    const named = keptDecodersNow().flatMap(({ text }) => namedFiles(text).map(({ sha256 }) => sha256));
    void sweepFiles(new Set(named));
  }
}

/**
 * Gives a kept decoder to a port, and again after each change of it that is right.
 *
 * @param answersOn Port on which the answers come; null: the same port.
 * @returns Function that ends that. The port keeps what it has.
 */
export function followDecoder(port: PortNumber, id: OwnDecoderId, answersOn: PortNumber | null = null): () => void {
  sweepOnce();
  let isOver = false;
  /** Text that the port has. */
  let given: string | null = null;
  /** Text at the last change; null: removed. */
  let seen = keptDecoder(id)?.text ?? null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const set = (state: DecoderState | null) => {
    if (!isOver) {
      states.setState({ [port]: state });
    }
  };
  const give = async () => {
    const decoder = keptDecoder(id);
    if (decoder === null) {
      given = null;
      await getBench().call('setDecoder', port, null);
      set({ kind: 'gone' });
      return;
    }
    const { text } = decoder;
    // While it is being written, the port keeps the last text that was right.
    if (given !== null && checkDecoder(text).content === null) {
      return;
    }
    const files = await keptFiles(namedFiles(text).map(({ sha256 }) => sha256));
    if (isOver) {
      return;
    }
    const answer = await getBench().call('setDecoder', port, { id, content: text, files }, answersOn);
    if (given === null) {
      // The following ones are changes of the same decoder.
      sayTakenApart(answer);
    }
    given = answer.kind === 'applied' ? text : given;
    set(stateOf(answer, id, titleOf(text)));
  };
  /** In order, so that the newest text is given last. */
  let last = Promise.resolve();
  const giveNext = () => {
    last = last
      .then(() => (isOver ? undefined : give()))
      .catch((error: Error) => set({ kind: 'refused', title: titleOf(seen ?? ''), reason: error.message }));
  };
  const stops = [
    onKeptChange(() => {
      const text = keptDecoder(id)?.text ?? null;
      if (text !== seen) {
        seen = text;
        clearTimeout(waiting);
        waiting = setTimeout(giveNext, settleTime);
      }
    }),
    onFilesChange(giveNext),
  ];
  giveNext();
  return () => {
    set(null);
    isOver = true;
    clearTimeout(waiting);
    for (const stop of stops) {
      stop();
    }
  };
}

function stateOf(answer: DecoderAnswer, id: OwnDecoderId, title: string): DecoderState {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'applied', id, title };
    case 'missing':
      return { kind: 'missing', title, files: answer.files };
    case 'refused':
      return { kind: 'refused', title, reason: answer.reason };
  }
}

/** Step that reads each kind of file, and the kind in words. */
const uses = {
  dbc: { step: 'slcan', word: 'a DBC file', decoder: 'CAN frames of SLCAN adapters' },
  mavlink: { step: 'mavlink', word: 'a file of MAVLink messages', decoder: 'MAVLink 1 and 2' },
  registers: { step: 'modbus', word: 'a table of registers', decoder: 'Modbus RTU' },
} satisfies Record<DecoderFileUse, { step: DecoderStep; word: string; decoder: string }>;

export type FileResult =
  /** @property note Facts about what was read: `12 messages, 40 signals`. */
  | { readonly ok: true; readonly note: string }
  /** @property reason Sentences with a remedy. */
  | { readonly ok: false; readonly reason: string };

/**
 * Takes a file for a kept decoder: one that it names and misses, or a new one, which it names from then on. The worker reads
 * the file first.
 *
 * @param wanted The file that was asked for. Default: any.
 */
export async function addDecoderFile(id: OwnDecoderId, file: File, wanted?: NamedFile): Promise<FileResult> {
  try {
    const facts = await getBench().call('readDecoderFile', file.name, file);
    const decoder = keptDecoder(id);
    if (decoder === null) {
      return { ok: false, reason: 'The decoder was removed.' };
    }
    const { sha256, use, summary, warnings } = facts;
    const note = noteOf(summary, warnings);
    const named = namedFiles(decoder.text);
    const isNamed = named.some((one) => one.sha256 === sha256);
    const other = wanted ?? named.find(({ name }) => name === file.name);
    if (!isNamed && other !== undefined) {
      return { ok: false, reason: otherFileText(file.name, sha256, other) };
    }
    const text = isNamed ? decoder.text : withFile(decoder.text, { use, name: file.name, sha256 });
    if (typeof text !== 'string') {
      return { ok: false, reason: text.reason };
    }
    const lasts = await keepFile(sha256, file);
    changeKept(id, { text });
    return { ok: true, note: lasts ? note : `${note}. The browser keeps it until the page is closed` };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Says what was read, and each part that was not. The last full stop is left to the caller. */
const noteOf = (summary: string, warnings: readonly string[]) =>
  [summary, ...warnings.map((warning) => warning.replace(/\.$/, ''))].join('. ');

/** First digits of a SHA-256, which a person can compare. */
export const shortHash = (sha256: string) => sha256.slice(0, 8);

function otherFileText(name: string, sha256: string, wanted: NamedFile): string {
  return `${name} is not the ${wanted.name} that the decoder names: its SHA-256 begins with ${shortHash(sha256)}, that of the decoder’s file with ${shortHash(wanted.sha256)}. Choose that file, or remove ${wanted.name} from the decoder and add this one.`;
}

/** Returns the text with a file that it names; an object for a decoder that cannot have it. */
function withFile(text: string, file: NamedFile): string | { readonly reason: string } {
  const content = parseJson(text);
  if (!isRecord(content)) {
    return { reason: 'The decoder is no valid JSON. Correct its content, then add the file again.' };
  }
  const { step, word, decoder } = uses[file.use];
  if (!hasStep(content, step)) {
    return { reason: `${file.name} is ${word}, which this decoder does not read. Start from ${decoder}.` };
  }
  if (file.name.length > decoderLimits.nameMaxLength) {
    return {
      reason: `The name of ${file.name} is longer than ${decoderLimits.nameMaxLength} characters. Rename it, then add it again.`,
    };
  }
  const files = Array.isArray(content['files']) ? content['files'] : [];
  if (files.length >= decoderLimits.files) {
    return { reason: `The decoder names ${decoderLimits.files} files, the most. Remove one, then add this one.` };
  }
  // The first file of MAVLink is the one that includes the others.
  return decoderText({ ...content, files: [file, ...files] });
}

/**
 * Moves the registers of a table that a kept decoder names into its content, where they can be edited and are saved with it.
 */
export async function takeRegisters(id: OwnDecoderId, { name, sha256 }: NamedFile): Promise<FileResult> {
  const [file] = (await keptFiles([sha256])).values();
  if (file === undefined) {
    return { ok: false, reason: `This browser does not have ${name}. Choose it first.` };
  }
  try {
    const { registers = [], summary, warnings } = await getBench().call('readDecoderFile', name, file);
    const content = parseJson(keptDecoder(id)?.text ?? '');
    if (!isRecord(content)) {
      return { ok: false, reason: 'The decoder is no valid JSON. Correct its content, then try again.' };
    }
    const own = Array.isArray(content['registers']) ? content['registers'] : [];
    const text = decoderText({ ...content, registers: [...own, ...registers], files: filesWithout(content, sha256) });
    const [fault] = checkDecoder(text).faults;
    if (fault !== undefined) {
      return { ok: false, reason: `The registers of ${name} stay in the file. In the content: ${fault}.` };
    }
    changeKept(id, { text });
    return { ok: true, note: noteOf(`${summary} of ${name} are in the content now`, warnings) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const filesWithout = (content: Readonly<Record<string, unknown>>, sha256: string): readonly unknown[] =>
  (Array.isArray(content['files']) ? content['files'] : []).filter((file) => fieldsOf(file)['sha256'] !== sha256);

/**
 * Removes a file from those that a kept decoder names.
 *
 * @returns Function that brings it back.
 */
export function removeDecoderFile(id: OwnDecoderId, sha256: string): () => void {
  const decoder = keptDecoder(id);
  const content = parseJson(decoder?.text ?? '');
  if (decoder === null || !isRecord(content)) {
    return () => undefined;
  }
  changeKept(id, { text: decoderText({ ...content, files: filesWithout(content, sha256) }) });
  return () => changeKept(id, { text: decoder.text });
}

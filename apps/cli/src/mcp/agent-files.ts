/**
 * Files of boards for an agent. A change is two calls: the first shows it and gives its hash, the second carries it out
 * if the board is the same and as it was.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sizeText } from '@wirebench/flasher/core';
import { counted } from '@wirebench/port/numbers';
import type { OptionValues } from '../commands/command.ts';
import { actionOf, type BoardFileAction, type PythonRun, putting, treeOf } from '../content/file-actions.ts';
import { filesInFlash } from '../content/files.ts';
import { boardPath } from '../content/local-files.ts';
import { filesInPython } from '../content/python-files.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readSettings } from '../port-options.ts';
import { printable } from '../printable.ts';
import type { AgentPort, AgentPorts } from './agent-ports.ts';
import {
  AgentOutput,
  type AgentWork,
  endedBy,
  presentDevice,
  reported,
  shortHash,
  type WorkReport,
  workOnBoard,
} from './agent-work.ts';
import { type Allowance, allowedPath, checkAllowed, RequestRefused } from './allowance.ts';

/** Most characters of a file that is written from a text. */
export const MAX_FILE_TEXT = 262_144;

/** Place of the files on a board. */
interface FilePlace {
  readonly way: 'flash' | 'python';
  /** Missing: the only partition with files. */
  readonly partition: string | undefined;
  /** True: a person has started the bootloader. */
  readonly byHand: boolean;
}

type FileWork = Pick<AgentWork, 'progress' | 'signal'>;

/** A change that was shown. */
interface Change {
  readonly action: BoardFileAction;
  readonly paths: readonly string[];
  /** Facts that tell the request from others. */
  readonly request: readonly string[];
  /** Hash that was shown; null for the call that shows it. */
  readonly plan: string | null;
  /** Contents that are written; null for a removal. */
  readonly bytes: Uint8Array | null;
}

export class AgentFiles {
  readonly #ports: AgentPorts;
  readonly #allowance: Allowance;
  /** Hash of the change of each port that was shown last. */
  readonly #shown = new Map<AgentPort, string>();

  constructor(ports: AgentPorts, allowance: Allowance) {
    this.#ports = ports;
    this.#allowance = allowance;
  }

  /** @throws RequestRefused for what is not allowed. */
  async list(port: AgentPort, place: FilePlace, path: string, work: FileWork): Promise<WorkReport> {
    checkAllowed(this.#allowance, 'files');
    const action = await actionOf(['ls', path], {});
    const { report } = await this.#work(port, place, action, {}, work);
    return report.outcome === 'done' ? { ...report, said: 'Done.' } : report;
  }

  /** @throws RequestRefused for what is not allowed. */
  async read(port: AgentPort, place: FilePlace, path: string, work: FileWork): Promise<WorkReport> {
    checkAllowed(this.#allowance, 'files');
    const name = boardPath(path);
    const { report, output } = await this.#work(port, place, await actionOf(['get', name, '-'], {}), {}, work);
    const { content } = output;
    if (content === null) {
      return report;
    }
    return { ...report, said: `The file has ${content.length} bytes.`, bytes: content };
  }

  /** Returns the contents that a request names. @throws RequestRefused for none, for two, and for a file that may not be read. */
  async contentOf({
    text,
    from,
  }: {
    text?: string | undefined;
    from?: string | undefined;
  }): Promise<Uint8Array<ArrayBuffer>> {
    checkAllowed(this.#allowance, 'files');
    if ((text === undefined) === (from === undefined)) {
      throw new RequestRefused('Give the contents as a text or from a file, and not both.');
    }
    return text === undefined
      ? new Uint8Array(await readFile(await allowedPath(this.#allowance, from ?? '')))
      : new TextEncoder().encode(text);
  }

  /** Shows or writes a file. @throws RequestRefused for what is not allowed, and for a hash that was not shown. */
  async write(
    port: AgentPort,
    place: FilePlace,
    { path, content, plan }: { path: string; content: Uint8Array<ArrayBuffer>; plan: string | null },
    work: FileWork,
  ): Promise<WorkReport> {
    const name = boardPath(path);
    if (name === '/') {
      throw new RequestRefused('Name a file: / is the folder of all files.');
    }
    const action = putting({ files: [{ path: name, bytes: content }], folders: [], leftOut: [] });
    const request = ['write', name, hashOf(content)];
    return this.#change(port, place, { action, paths: [name], request, plan, bytes: content }, work);
  }

  /** Shows or deletes files. @throws RequestRefused for what is not allowed, and for a hash that was not shown. */
  async remove(
    port: AgentPort,
    place: FilePlace,
    { paths, plan }: { paths: readonly string[]; plan: string | null },
    work: FileWork,
  ): Promise<WorkReport> {
    const names = paths.map(boardPath);
    const action = await actionOf(['rm', ...names], {});
    return this.#change(port, place, { action, paths: names, request: ['delete', ...names], plan, bytes: null }, work);
  }

  async #change(port: AgentPort, place: FilePlace, change: Change, work: FileWork): Promise<WorkReport> {
    checkAllowed(this.#allowance, 'files');
    const { action, plan, request } = change;
    if (plan !== null && this.#shown.get(port) !== plan) {
      throw new RequestRefused(
        `${port.given.label} has no change with this hash: it was carried out before, a later one has replaced it, or it was never shown. The same call without "plan" shows it.`,
      );
    }
    // A change is carried out once: afterwards the board is another one.
    this.#shown.delete(port);
    let hash: string | null = null;
    const checked = (facts: readonly unknown[]) => {
      hash = shortHash([port.given.path, place.way, request, ...facts]);
      if (plan !== null && hash !== plan) {
        throw new CommandError(
          exitCodes.refused,
          'nothing was changed: the board is not the one, or not as it was, when the change was shown.',
        );
      }
    };
    const options = plan === null ? { plan: true } : { yes: true };
    const { report, output } = await this.#work(port, place, guarded(change, checked), options, work);
    if (report.outcome !== 'done' || plan !== null) {
      return report.outcome === 'done' ? { ...report, said: 'Done.' } : report;
    }
    const { entries } = output.facts('changes') as { readonly entries?: readonly unknown[] };
    if (action.isReading || hash === null || entries?.length === 0) {
      return { ...report, said: 'Nothing would change.' };
    }
    this.#shown.set(port, hash);
    const said = `The change is shown and its hash is ${hash}. Nothing was changed yet: the same call with this hash as "plan" carries it out.`;
    return { ...report, said, hash };
  }

  async #work(
    port: AgentPort,
    { way, partition, byHand }: FilePlace,
    action: BoardFileAction,
    own: OptionValues,
    { progress, signal }: FileWork,
  ): Promise<{ readonly report: WorkReport; readonly output: AgentOutput }> {
    let output = new AgentOutput(progress);
    const options = { family: 'esp', partition, byHand, ...own };
    if (way === 'flash') {
      const report = await workOnBoard(this.#ports, port, { options, progress, signal }, async (run, said) => {
        output = said;
        await filesInFlash(run, action);
        return null;
      });
      return { report, output };
    }
    if (port.isDemo) {
      throw new RequestRefused('The simulated board runs no Python: its files are in flash.');
    }
    const { settings, native } = readSettings({});
    const report = await this.#ports.lend([port], async () => {
      const device = await presentDevice(port, native);
      const board = { given: port.given, device, settings, output, ended: endedBy(signal) };
      return reported(output, async () => {
        // A program of the board is interrupted, and started again.
        await filesInPython({ ...board, options: { yes: true } }, action);
        return null;
      });
    });
    return { report, output };
  }
}

/** Returns the action with a check of the board's state before it. Over a prompt the call that shows changes nothing. */
function guarded(change: Change, check: (facts: readonly unknown[]) => void): BoardFileAction {
  const { action, paths, bytes, plan } = change;
  return {
    isReading: false,
    inFlash: async (files) => {
      check(files.state);
      return action.inFlash(files);
    },
    inPython: async (run) => {
      const state = await stateOf(run, change);
      check([await run.files.identity(), state]);
      if (plan !== null) {
        return action.inPython(run);
      }
      for (const path of paths) {
        run.output.step('change', { path }, changeText(path, state, bytes));
      }
      return true;
    },
  };
}

/** A file or folder of a board, with its hash. */
interface FileState {
  readonly path: string;
  readonly size: number;
  /** Null for a folder. */
  readonly sha256: string | null;
}

/**
 * Returns what is at the paths and below them.
 *
 * @throws CommandError for a removal of what is not there, and for a write to a folder.
 */
async function stateOf({ files }: PythonRun, { paths, bytes }: Change): Promise<readonly FileState[]> {
  const found: FileState[] = [];
  for (const path of paths) {
    const isNew = bytes !== null && (await files.stat(path)) === null;
    for (const entry of isNew ? [] : await treeOf(files, path)) {
      if (bytes !== null && entry.isFolder) {
        throw new CommandError(exitCodes.failed, `nothing was changed: ${printable(path)} is a folder.`);
      }
      const sha256 = entry.isFolder ? null : await files.hash(entry.path);
      found.push({ path: entry.path, size: entry.size, sha256 });
    }
  }
  return found;
}

function changeText(path: string, state: readonly FileState[], bytes: Uint8Array | null): string {
  const name = printable(path);
  const own = state.find((one) => one.path === path);
  if (bytes === null) {
    const below = state.filter((one) => one.path.startsWith(`${path}/`) && one.sha256 !== null);
    return `  ${name} is deleted, ${own === undefined || own.sha256 === null ? `with ${counted(below.length, 'file')}` : sizeText(own.size)}`;
  }
  if (own === undefined) {
    return `  ${name} is new, ${sizeText(bytes.length)}`;
  }
  return own.sha256 === hashOf(bytes)
    ? `  ${name} has these contents already`
    : `  ${name} is replaced, ${sizeText(own.size)} by ${sizeText(bytes.length)}`;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

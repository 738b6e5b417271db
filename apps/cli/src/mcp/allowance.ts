/** Ports, actions and folders that `--allow` names for an agent. Nothing else is opened, sent, written or read. */
import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { listOf, type OptionValue } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type GivenPort, givenPort, givenPorts } from '../given-ports.ts';

/** Actions by their words in `--allow`, with what they change. */
export const actionTexts = {
  send: 'send text and bytes',
  reset: 'restart a board by its control lines',
  flash: 'write a build whose plan was shown',
  files: 'read files of a board, and change them as it was shown',
  erase: 'erase what the plan of a build erases beside its own places',
} as const;

export type AgentAction = keyof typeof actionTexts;

const words = ['port=NAME', ...Object.keys(actionTexts), 'folder=PATH'];

/** A request that the person who started the program has not allowed, or that cannot be carried out as it is. */
export class RequestRefused extends Error {
  /** @param message Words of this program and of the request alone: it is not fenced. */
  constructor(message: string) {
    super(message);
    this.name = 'RequestRefused';
  }
}

/** Returns a word of a request for a sentence: on one line, and short. */
export const quoted = (word: string): string => JSON.stringify(word.slice(0, 200));

export interface Allowance {
  readonly ports: readonly GivenPort[];
  readonly actions: ReadonlySet<AgentAction>;
  /** Folders whose files may be read, as they were given. */
  readonly folders: readonly string[];
}

const isAction = (word: string): word is AgentAction => Object.hasOwn(actionTexts, word);

/**
 * Reads `--allow port=ttyUSB0,send,flash`, which may be given several times.
 *
 * @param named Ports of `--port`.
 * @throws CommandError for an unknown word.
 */
export async function readAllowance(given: OptionValue, named: readonly string[] = []): Promise<Allowance> {
  const items = listOf(given).flatMap((text: string) =>
    // A path may contain a comma.
    text.split(/,(?=(?:port|folder)=|[a-z]+(?:,|$))/),
  );
  const ports: GivenPort[] = [...(await givenPorts(named))];
  const folders: string[] = [];
  const actions = new Set<AgentAction>();
  for (const item of items) {
    const [, kind, name = ''] = /^(port|folder)=(.+)$/.exec(item) ?? [];
    if (kind === 'port') {
      ports.push(await givenPort(name));
    } else if (kind === 'folder') {
      folders.push(name);
    } else if (isAction(item)) {
      actions.add(item);
    } else {
      throw new CommandError(exitCodes.usage, `--allow takes ${words.join(', ')}, and not ${item}.`);
    }
  }
  return { ports, actions, folders };
}

/** @throws RequestRefused for an action that is not allowed. */
export function checkAllowed({ actions }: Allowance, action: AgentAction): void {
  if (!actions.has(action)) {
    throw new RequestRefused(
      `Not allowed: ${action} (${actionTexts[action]}). The person who started wirebench allows it with --allow ${action}.`,
    );
  }
}

/**
 * Returns the real path of a file or folder that may be read.
 *
 * @throws RequestRefused for a path outside of the allowed folders, also by a link, and for one that is not there.
 */
export async function allowedPath({ folders }: Allowance, path: string): Promise<string> {
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  // A relative path begins in each of the folders in turn.
  for (const root of roots.filter((one) => one !== null)) {
    const real = await realpath(resolve(root, path)).catch(() => null);
    if (real !== null && (real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))) {
      return real;
    }
  }
  const names = folders.length === 0 ? 'none' : folders.join(', ');
  throw new RequestRefused(
    `${quoted(path)} is in no folder that may be read (${names}). The person who started wirebench allows one with --allow folder=PATH.`,
  );
}

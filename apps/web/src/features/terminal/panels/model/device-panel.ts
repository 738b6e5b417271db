/**
 * A device panel: pinned messages and their target port. The field names are the stored ones (docs/behaviour.md,
 * "Panels"). Operations on panels are in `panels.ts` and `messages.ts`.
 */
import type { LineEnding, PortNumber, Rule } from '@wirebench/serial';
import type { PinnedMessage } from './pinned-message.ts';
import type { UnknownKeys } from './stored-fields.ts';

/** Value of `pinnedTargetPort` if no port is chosen. */
export const noTarget = -1;
export type TargetPort = PortNumber | typeof noTarget;

/** The JKit that the messages came from, as the server returned it, without its content. */
export type LoadedJkit = UnknownKeys;

/** Unknown fields of a JKit's content, besides messages and line ending. Saving the panel writes them back. */
interface JkitKept {
  readonly content: UnknownKeys;
  readonly settings: UnknownKeys;
}

export interface DevicePanel {
  readonly id: string;
  readonly name: string;
  readonly pinnedTargetPort: TargetPort;
  /** True: a person chose the target. False: the panel took the only open port. */
  readonly targetChosen: boolean;
  readonly pinnedMessages: readonly PinnedMessage[];
  readonly rules: readonly Rule[];
  readonly collapsed: boolean;
  /** True: CRLF. False: LF. */
  readonly lineEnding: boolean;
  /** An ending that `lineEnding` cannot express. Null: `lineEnding` applies. */
  readonly ending: 'none' | 'cr' | null;
  readonly loadedJkit: LoadedJkit | null;
  readonly jkitKept: JkitKept;
  readonly isStarred: boolean;
  readonly userId: string | null;
  readonly others: UnknownKeys;
}

export const longestPanelName = 32;

const nothingKept: JkitKept = { content: {}, settings: {} };

export function newPanel(id: string, name: string): DevicePanel {
  return {
    id,
    name,
    pinnedTargetPort: noTarget,
    targetChosen: false,
    pinnedMessages: [],
    rules: [],
    collapsed: false,
    lineEnding: false,
    ending: null,
    loadedJkit: null,
    jkitKept: nothingKept,
    isStarred: false,
    userId: null,
    others: {},
  };
}

/** Returns the line ending sent after each text of the panel. */
export function endingOf({ lineEnding, ending }: Pick<DevicePanel, 'lineEnding' | 'ending'>): LineEnding {
  return ending ?? (lineEnding ? 'crlf' : 'lf');
}

/** Returns the fields that store `chosen`. `lineEnding` is kept for readers that do not know `ending`. */
export function endingFields(
  chosen: LineEnding,
  { lineEnding }: Pick<DevicePanel, 'lineEnding'>,
): Pick<DevicePanel, 'lineEnding' | 'ending'> {
  return chosen === 'none' || chosen === 'cr'
    ? { lineEnding, ending: chosen }
    : { lineEnding: chosen === 'crlf', ending: null };
}

/** Returns the first of `Panel 1`, `Panel 2`… that no panel uses. */
export function freeName(panels: readonly DevicePanel[]): string {
  const taken = new Set(panels.map(({ name }) => name));
  let number = 1;
  while (taken.has(`Panel ${number}`)) {
    number++;
  }
  return `Panel ${number}`;
}

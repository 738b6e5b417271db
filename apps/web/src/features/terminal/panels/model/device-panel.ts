/**
 * A device panel: pinned messages and their target port. The field names are the stored ones (docs/behaviour.md,
 * "Panels"). Operations on panels are in `panels.ts` and `messages.ts`.
 */
import type { JkitKept, PinnedMessage, StoredEnding, UnknownKeys } from '@wirebench/runs';
import type { LineEnding, PortNumber, Rule } from '@wirebench/serial';

/** Value of `pinnedTargetPort` if no port is chosen. */
export const noTarget = -1;
/** Value of `pinnedTargetPort` for every port that is open, also for one that is opened later. */
export const allPorts = 0;
export type TargetPort = PortNumber | typeof noTarget | typeof allPorts;

/** The JKit that the messages came from, as the server returned it, without its content. */
type LoadedJkit = UnknownKeys;

export interface DevicePanel extends StoredEnding {
  readonly id: string;
  readonly name: string;
  readonly pinnedTargetPort: TargetPort;
  /** True: a person chose the target. False: the panel took the only open port. */
  readonly targetChosen: boolean;
  readonly pinnedMessages: readonly PinnedMessage[];
  readonly rules: readonly Rule[];
  readonly collapsed: boolean;
  readonly loadedJkit: LoadedJkit | null;
  /** Saving the panel writes it back. */
  readonly jkitKept: JkitKept;
  readonly isStarred: boolean;
  readonly userId: string | null;
  readonly others: UnknownKeys;
}

type Aimed = Pick<DevicePanel, 'pinnedTargetPort'>;

/** Returns the only port of the panel. Null: it has none, or all that are open. */
export const onePort = ({ pinnedTargetPort }: Aimed): PortNumber | null =>
  pinnedTargetPort === noTarget || pinnedTargetPort === allPorts ? null : pinnedTargetPort;

/** Returns true if the panel's commands go to the port while it is open. */
export const aimsAt = ({ pinnedTargetPort }: Aimed, port: number): boolean =>
  pinnedTargetPort === allPorts || pinnedTargetPort === port;

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

/** Returns the fields that store `chosen`. `lineEnding` is kept for readers that do not know `ending`. */
export function endingFields(chosen: LineEnding, { lineEnding }: Pick<DevicePanel, 'lineEnding'>): StoredEnding {
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

/**
 * A device panel, with the field names that it is stored under (docs/behaviour.md, "Device panels"): pinned messages
 * and the port that they are sent to. Holds values and the few facts derived from them; what can be done with panels is in
 * `panels.ts` and `messages.ts`.
 */
import type { LineEnding, PortNumber } from '@wirebench/serial';
import type { PinnedMessage } from './pinned-message.ts';
import type { UnknownKeys } from './stored-fields.ts';

/** No port is chosen. */
export const noTarget = -1;
export type TargetPort = PortNumber | typeof noTarget;

/** The jkit that the messages came from, as the server gave it but for its content. */
export type LoadedJkit = UnknownKeys;

/** What a jkit's content held besides messages and line ending: it goes back where it was when the panel is saved. */
interface JkitKept {
  readonly content: UnknownKeys;
  readonly settings: UnknownKeys;
}

export interface DevicePanel {
  readonly id: string;
  readonly name: string;
  readonly pinnedTargetPort: TargetPort;
  readonly pinnedMessages: readonly PinnedMessage[];
  readonly collapsed: boolean;
  /** False is LF, true is CRLF. */
  readonly lineEnding: boolean;
  /** An ending that the boolean cannot say; null when it says it all. */
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
    pinnedMessages: [],
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

/** What is sent after each text of the panel. */
export function endingOf({ lineEnding, ending }: Pick<DevicePanel, 'lineEnding' | 'ending'>): LineEnding {
  return ending ?? (lineEnding ? 'crlf' : 'lf');
}

/** The fields that say `chosen`. The boolean stays for readers that know nothing else. */
export function endingFields(
  chosen: LineEnding,
  { lineEnding }: Pick<DevicePanel, 'lineEnding'>,
): Pick<DevicePanel, 'lineEnding' | 'ending'> {
  return chosen === 'none' || chosen === 'cr'
    ? { lineEnding, ending: chosen }
    : { lineEnding: chosen === 'crlf', ending: null };
}

/** `Device 1`, `Device 2`…: the first of them that no panel has. */
export function freeName(panels: readonly DevicePanel[]): string {
  const taken = new Set(panels.map(({ name }) => name));
  let number = 1;
  while (taken.has(`Device ${number}`)) {
    number++;
  }
  return `Device ${number}`;
}

/** State of the terminal and of each port that lasts until the page is closed: selected port, draft, visible parts. */
import { type AskedSecret, type BaudFinding, byPort, type PortNumber } from '@wirebench/serial';
import type { PortRequestAnswer } from '../../hardware/tab-ports.ts';
import { pageStore } from '../../shared/page-store.ts';
import { tabStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { SendHistory } from './send/send-history.ts';
import type { TypedAs } from './send/send-message.ts';

interface TerminalSession {
  readonly selectedPort: PortNumber;
  readonly draft: string;
  /** Kind and ending of a draft that came from the history. Null: the settings apply. */
  readonly draftAs: TypedAs | null;
  /** True: text was pasted into the draft, so it may be longer than a command. */
  readonly draftPasted: boolean;
  /** Secret that a board asked for when the draft was typed as dots. It stays hidden when the prompt ends. Null: shown. */
  readonly draftSecret: AskedSecret | null;
  /** True: what is typed is shown as dots, and is in no log and no history. */
  readonly hideInput: boolean;
  /** Repeat interval in milliseconds, as typed. */
  readonly repeatTime: string;
  /** True: the settings of the selected port overlay the console. */
  readonly settingsOpen: boolean;
  /** True: the settings show the baud finder. */
  readonly findsRate: boolean;
  /** True: the second toolbar row is open, in a narrow or low window. */
  readonly moreTools: boolean;
  /** Port for which the set-up of Wi-Fi was asked, until its dialog opens. */
  readonly wifiPort: PortNumber | null;
}

const terminalSession = pageStore<TerminalSession>({
  selectedPort: 1,
  draft: '',
  draftAs: null,
  draftPasted: false,
  draftSecret: null,
  hideInput: false,
  repeatTime: '1000',
  settingsOpen: false,
  findsRate: false,
  moreTools: false,
  wifiPort: null,
});

export const { getState: terminalSessionNow, setState: changeTerminalSession } = terminalSession;

/** Shows the baud finder in the settings of a port. */
export function showBaudFinder(port: PortNumber): void {
  terminalSession.setState({ selectedPort: port, settingsOpen: true, findsRate: true });
}

/** Messages sent in this tab. */
export const sendHistory = new SendHistory(tabStorage, savingOf({ what: 'The sent messages' }));

export const useTerminalSession = terminalSession.use;

export interface Repeat {
  /** Message as typed. */
  readonly text: string;
  /** Interval in milliseconds. */
  readonly every: number;
  readonly count: number;
  readonly stop: () => void;
}

export type BaudSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly cancel: () => void }
  | { readonly kind: 'found'; readonly finding: BaudFinding }
  | { readonly kind: 'failed'; readonly message: string };

interface TerminalPort {
  /** Time of closing in milliseconds since the Unix epoch. Null: the port is open, or was never. */
  readonly closedAt: number | null;
  /** The repeated message. */
  readonly repeat: Repeat | null;
  /** The last search for the baud rate. */
  readonly search: BaudSearch;
  /** Pending request of another tab that the user has to answer. */
  readonly request: ((answer: PortRequestAnswer) => void) | null;
  /** Time of the connect in which the person has chosen the ending. Undefined: in none. */
  readonly typedAt: number | null | undefined;
}

export const noSearch: BaudSearch = { kind: 'none' };

const ports = pageStore(
  byPort((): TerminalPort => ({ closedAt: null, repeat: null, search: noSearch, request: null, typedAt: undefined })),
);

export const terminalPortNow = (port: PortNumber): TerminalPort => ports.getState()[port];

export function changeTerminalPort(port: PortNumber, change: Partial<TerminalPort>): void {
  ports.setState((all) => ({ [port]: { ...all[port], ...change } }));
}

export function useTerminalPort<Part>(port: PortNumber, select: (state: TerminalPort) => Part): Part {
  return ports.use((all) => select(all[port]));
}

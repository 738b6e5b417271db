/** State of the terminal that lasts until the page is closed: selected port, draft and visible parts. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { tabStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { SendHistory } from './send/send-history.ts';
import type { TypedAs } from './send/send-message.ts';

export interface TerminalSession {
  readonly selectedPort: PortNumber;
  readonly draft: string;
  /** Kind and ending of a draft that came from the history. Null: the settings apply. */
  readonly draftAs: TypedAs | null;
  /** True: what is typed is shown as dots, and is in no log and no history. */
  readonly hideInput: boolean;
  /** Repeat interval in milliseconds, as typed. */
  readonly repeatTime: string;
  /** True: the settings of the selected port overlay the console. */
  readonly settingsOpen: boolean;
  /** True: the second toolbar row is open, in a narrow or low window. */
  readonly moreTools: boolean;
  /** Port for which the set-up of Wi-Fi was asked, until its dialog opens. */
  readonly wifiPort: PortNumber | null;
}

const terminalSession = createStore<TerminalSession>(() => ({
  selectedPort: 1,
  draft: '',
  draftAs: null,
  hideInput: false,
  repeatTime: '1000',
  settingsOpen: false,
  moreTools: false,
  wifiPort: null,
}));

export const { getState: terminalSessionNow, setState: changeTerminalSession } = terminalSession;

/** Messages sent in this tab. */
export const sendHistory = new SendHistory(tabStorage, savingOf({ what: 'The sent messages' }));

export function useTerminalSession<Part>(select: (session: TerminalSession) => Part): Part {
  return useStore(terminalSession, select);
}

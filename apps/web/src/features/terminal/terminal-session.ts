/** State of the terminal that lasts until the page is closed: selected port, draft, visible parts and send history. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { SendHistory } from './send/send-history.ts';

export interface TerminalSession {
  readonly selectedPort: PortNumber;
  readonly draft: string;
  /** Repeat interval as typed. Null: messages are sent once. */
  readonly repeatTime: string | null;
  /** True: the settings of the selected port overlay the console. */
  readonly settingsOpen: boolean;
  /** True: the second toolbar row is open, in a narrow or low window. */
  readonly moreTools: boolean;
  /** True: the send options are open, in layouts that fold them. */
  readonly sendOptions: boolean;
}

export const terminalSession = createStore<TerminalSession>(() => ({
  selectedPort: 1,
  draft: '',
  repeatTime: null,
  settingsOpen: false,
  moreTools: false,
  sendOptions: false,
}));

export const sendHistory = new SendHistory();

export function useTerminalSession<Part>(select: (session: TerminalSession) => Part): Part {
  return useStore(terminalSession, select);
}

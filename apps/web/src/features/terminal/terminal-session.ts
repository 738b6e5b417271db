/** What lasts as long as the page: which port is selected, what is being typed, what was sent. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { SendHistory } from './send/send-history.ts';

export interface TerminalSession {
  readonly selectedPort: PortNumber;
  readonly draft: string;
  /** How often the message is to be repeated, as it was typed; null while messages are sent once. */
  readonly repeatTime: string | null;
  /** Which part is on the screen where there is only room for one. */
  readonly pane: 'console' | 'panels' | 'port';
  /** The settings lie over the console where there is no room beside it. */
  readonly drawerOpen: boolean;
  /** The tools of the console that stand in a second row where one has no room for them. */
  readonly moreTools: boolean;
  /** How a message is sent, where that is folded away. */
  readonly sendOptions: boolean;
}

export const terminalSession = createStore<TerminalSession>(() => ({
  selectedPort: 1,
  draft: '',
  repeatTime: null,
  pane: 'console',
  drawerOpen: false,
  moreTools: false,
  sendOptions: false,
}));

export const sendHistory = new SendHistory();

export function useTerminalSession<Part>(select: (session: TerminalSession) => Part): Part {
  return useStore(terminalSession, select);
}

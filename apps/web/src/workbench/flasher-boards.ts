/**
 * Boards that a flasher of this document has, as other pages show them, and the port that the terminal sends there.
 * Flashers and terminal share one worker, so a port has the same number in both.
 */
import { type ByPort, type PortNumber, portNumbers } from '@wirebench/serial';
import { pageStore } from '../shared/page-store.ts';
import { sameShallow } from '../shared/same-shallow.ts';

/** A board that a flasher has connected, or is about to. Its port is closed in the terminal. */
export interface FlasherBoard {
  /** Address of the flasher's page. */
  readonly page: string;
  /** State in words: `Ready`, `Writing 45 %`. */
  readonly state: string;
  /** True: a write, a read or an erase is under way. */
  readonly busy: boolean;
}

const boards = pageStore<ByPort<FlasherBoard | null>>({ 1: null, 2: null, 3: null, 4: null });

/** Port that the terminal asks the next flasher to take over; null if there is none. */
let sent: PortNumber | null = null;

/** Port whose files the terminal shows when it is opened next; null if there is none. */
let filesOf: PortNumber | null = null;

/** Publishes the boards of the flasher. */
export function showFlasherBoards(next: ByPort<FlasherBoard | null>): void {
  const now = boards.getState();
  if (portNumbers.some((port) => !sameShallow(now[port] ?? {}, next[port] ?? {}))) {
    boards.setState(next);
  }
}

/** Returns the port's board in a flasher; null if no flasher has it. */
export function useFlasherBoard(port: PortNumber): FlasherBoard | null {
  return boards.use((all) => all[port]);
}

/** Returns the boards of all ports in flashers. */
export const useFlasherBoards = boards.use;

/** Asks the flasher that is shown next to take over the port. */
export function sendToFlasher(port: PortNumber): void {
  sent = port;
}

/** Returns the port that the terminal has sent, once; null without one. */
export function takeSentPort(): PortNumber | null {
  const port = sent;
  sent = null;
  return port;
}

/** Asks the terminal to show the files of the port's board when it is opened next. */
export function askForBoardFiles(port: PortNumber): void {
  filesOf = port;
}

/** Returns the port whose files the terminal shall show, once; null without one. */
export function takeBoardFilesPort(): PortNumber | null {
  const port = filesOf;
  filesOf = null;
  return port;
}

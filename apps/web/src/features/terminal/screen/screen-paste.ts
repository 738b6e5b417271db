/** Text that a person pastes into a Screen, before it is sent. Another part may take text of several lines and ask first. */
import type { PortNumber } from '@wirebench/serial';

export interface ScreenPaste {
  readonly port: PortNumber;
  readonly text: string;
  /** Sends text as pasted: in brackets if the program on the board asked for them, with the port's Enter at line ends. */
  readonly send: (text: string) => void;
}

/** `ask` returns true if it takes the paste. Null: everything is sent at once. */
export const screenPaste: { ask: ((paste: ScreenPaste) => boolean) | null } = { ask: null };

/** Sends chosen files, as they are or by a transfer protocol. The page holds one choice at a time, for any port. */
import type { PortNumber, SendPace } from '@wirebench/serial';
import type { TransferProtocol } from '@wirebench/serial/transfer';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { sendFile } from '../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';

interface ChosenFile {
  readonly file: File;
  /** Further files: some protocols send several. */
  readonly more: readonly File[];
  readonly port: PortNumber;
  /** Protocol that the board asks for; null if it asks for none. */
  readonly asked: TransferProtocol | null;
  /** Cancels the transfer. Null before it starts. */
  readonly cancel: (() => void) | null;
}

const chosenFile = createStore<{ readonly chosen: ChosenFile | null }>(() => ({ chosen: null }));

export function useChosenFile(): ChosenFile | null {
  return useStore(chosenFile, ({ chosen }) => chosen);
}

/** Chooses files. Ignored while another file is being sent. */
export function chooseFile(
  port: PortNumber,
  file: File,
  more: readonly File[] = [],
  asked: TransferProtocol | null = null,
): void {
  if (!chosenFile.getState().chosen?.cancel) {
    chosenFile.setState({ chosen: { port, file, more, asked, cancel: null } });
  }
}

/** Discards the chosen file, or cancels its transfer. */
export function cancelFile(): void {
  const { chosen } = chosenFile.getState();
  if (chosen?.cancel) {
    chosen.cancel();
  } else {
    chosenFile.setState({ chosen: null });
  }
}

/** Takes the chosen files out of the choice, for a transfer. Returns null if there are none, or they are being sent. */
export function takeChosen(): ChosenFile | null {
  const { chosen } = chosenFile.getState();
  if (chosen === null || chosen.cancel !== null) {
    return null;
  }
  chosenFile.setState({ chosen: null });
  return chosen;
}

/** Sends the chosen file. The timeline reports the result. */
export async function sendChosenFile(pace: SendPace): Promise<void> {
  const { chosen } = chosenFile.getState();
  if (chosen === null || chosen.cancel !== null) {
    return;
  }
  const { port, file } = chosen;
  const cancelled = new AbortController();
  chosenFile.setState({ chosen: { ...chosen, cancel: () => cancelled.abort() } });
  try {
    await reportingFailure(port, sendFile(port, file, pace, cancelled.signal));
  } finally {
    chosenFile.setState({ chosen: null });
  }
}

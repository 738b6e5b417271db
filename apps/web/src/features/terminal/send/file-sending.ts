/** Sends a chosen file. The page sends at most one file at a time, to any port. */
import type { PortNumber, SendPace } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { sendFile } from '../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';

interface ChosenFile {
  readonly file: File;
  readonly port: PortNumber;
  /** Cancels the transfer. Null before it starts. */
  readonly cancel: (() => void) | null;
}

const chosenFile = createStore<{ readonly chosen: ChosenFile | null }>(() => ({ chosen: null }));

export function useChosenFile(): ChosenFile | null {
  return useStore(chosenFile, ({ chosen }) => chosen);
}

/** Chooses a file. Ignored while another file is being sent. */
export function chooseFile(port: PortNumber, file: File): void {
  if (!chosenFile.getState().chosen?.cancel) {
    chosenFile.setState({ chosen: { port, file, cancel: null } });
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

/** Sends the chosen file. The timeline reports the result. */
export async function sendChosenFile(pace: SendPace): Promise<void> {
  const { chosen } = chosenFile.getState();
  if (chosen === null || chosen.cancel !== null) {
    return;
  }
  const { port, file } = chosen;
  const cancelled = new AbortController();
  chosenFile.setState({ chosen: { port, file, cancel: () => cancelled.abort() } });
  try {
    await reportingFailure(port, sendFile(port, file, pace, cancelled.signal));
  } finally {
    chosenFile.setState({ chosen: null });
  }
}

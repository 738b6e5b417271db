/** The file that was chosen to be sent, and the sending of it: one at a time on the page, whatever the port. */
import type { PortNumber, SendPace } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { sendFile } from '../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';

interface ChosenFile {
  readonly file: File;
  readonly port: PortNumber;
  /** Ends the sending; null before it began. */
  readonly cancel: (() => void) | null;
}

const chosenFile = createStore<{ readonly chosen: ChosenFile | null }>(() => ({ chosen: null }));

export function useChosenFile(): ChosenFile | null {
  return useStore(chosenFile, ({ chosen }) => chosen);
}

/** Does nothing while another file is being sent. */
export function chooseFile(port: PortNumber, file: File): void {
  if (!chosenFile.getState().chosen?.cancel) {
    chosenFile.setState({ chosen: { port, file, cancel: null } });
  }
}

/** Leaves the file be, or ends its sending. */
export function cancelFile(): void {
  const { chosen } = chosenFile.getState();
  if (chosen?.cancel) {
    chosen.cancel();
  } else {
    chosenFile.setState({ chosen: null });
  }
}

/** Sends what was chosen. What came of it is on the timeline. */
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

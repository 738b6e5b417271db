/** Sends chosen files, as they are or by a transfer protocol. The page holds one choice at a time, for any port. */
import type { PortNumber, SendPace } from '@wirebench/serial';
import type { TransferProtocol } from '@wirebench/serial/transfer';
import { changedFilesText } from '../../../shared/files/changed-files.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { toast } from '../../../shared/ui/toast.ts';
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

const chosenFile = pageStore<{ readonly chosen: ChosenFile | null }>({ chosen: null });

export function useChosenFile(): ChosenFile | null {
  return chosenFile.use(({ chosen }) => chosen);
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

/**
 * Checks the chosen files before the first byte is sent. Files that changed on the disk are named, and the choice is
 * dropped so that they are chosen again.
 *
 * @returns True if all are as they were chosen.
 */
export async function areChosenUnchanged(): Promise<boolean> {
  const { chosen } = chosenFile.getState();
  if (chosen === null) {
    return false;
  }
  const text = await changedFilesText([chosen.file, ...chosen.more].map((file) => ({ name: file.name, file })));
  if (text === null) {
    return chosenFile.getState().chosen === chosen;
  }
  chosenFile.setState({ chosen: null });
  toast(`${text} Nothing was sent.`, { level: 'error' });
  return false;
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

/** Ports of runs, and files that follow their messages. A person chooses each file, and the page keeps it until it is closed. */

import { type FilePort, filePaces, type RunPort } from '@wirebench/runs';
import type { PortNumber } from '@wirebench/serial';
import { isAsChosen } from '../../../../shared/files/changed-files.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { type BenchConversation, pauseOnBench, sendFile } from '../../../../workbench/bench-waits.ts';
import { sendByProtocol } from '../../send/transfer/transfers.ts';

/** By message id. */
const runFiles = pageStore<Readonly<Record<string, File>>>({});

export function useRunFile(messageId: string): File | null {
  return runFiles.use((files) => files[messageId] ?? null);
}

/** Sends the chosen files to the board on `port`. */
export const filePort = (port: PortNumber): FilePort => ({
  sendFile: async (messageId, by, signal) => {
    const file = runFiles.getState()[messageId];
    if (file === undefined) {
      return false;
    }
    if (by === 'raw' || by === 'lines') {
      const { outcome } = await sendFile(port, file, filePaces[by], signal);
      return outcome === 'complete';
    }
    return sendByProtocol(port, [file], by, signal);
  },
});

/**
 * Opens the browser's dialog for the file of a message. Needs a recent press of the user. Returns false if no file was
 * chosen.
 */
export function chooseRunFile(messageId: string): Promise<boolean> {
  const input = document.createElement('input');
  input.type = 'file';
  return new Promise((resolve) => {
    input.addEventListener('cancel', () => resolve(false));
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file !== undefined) {
        runFiles.setState({ [messageId]: file });
      }
      resolve(file !== undefined);
    });
    input.click();
  });
}

/** Returns true if the chosen file can still be read. Browsers refuse a file that was written since it was chosen. */
export async function hasRunFile(messageId: string): Promise<boolean> {
  const file = runFiles.getState()[messageId];
  return file !== undefined && (await isAsChosen(file));
}

/** Returns the port of a conversation, for a run. `hidden`: whether the log hides what is sent, for every exchange. */
export const runPort = (conversation: BenchConversation, hidden?: boolean): RunPort => ({
  exchange: (exchange, signal) =>
    conversation.exchange(hidden === undefined ? exchange : { ...exchange, hidden }, signal),
  pause: pauseOnBench,
});

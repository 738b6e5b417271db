/** Receipts of this session, and the history that outlives it. */

import { makeReceipt, type Receipt, type ReceiptParts } from '@wirebench/flasher/receipt';
import { buildName } from '@wirebench/flasher/release/builds';
import type { PortNumber } from '@wirebench/serial';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { LOAD_FAILED } from '../../../shared/ui/use-loaded.ts';
import { rememberRelease } from '../../../workbench/crash/flashed-releases.ts';
import type { ChosenRelease, VersionBuild } from '../../../workbench/release/release.ts';
import { writeList } from '../files/write-list.ts';
import { remember } from '../state/history.ts';
import { filesFor, shownBuild } from './board-builds.ts';
import { flasherStore, flashOf } from './flasher-store.ts';

interface SessionReceipts {
  /** Newest last. */
  readonly all: readonly Receipt[];
  readonly byPort: Readonly<Record<PortNumber, Receipt | null>>;
}

const receiptStore = pageStore<SessionReceipts>({
  all: [],
  byPort: { 1: null, 2: null, 3: null, 4: null },
});

export const useReceipts = receiptStore.use;

/** Returns the text of a receipt; null if it could not be loaded, which is said. */
const textOf = (receipt: Receipt): Promise<string | null> =>
  import('@wirebench/flasher/receipt/text').then(
    ({ receiptText }) => receiptText(receipt),
    () => {
      toast(LOAD_FAILED, { level: 'error' });
      return null;
    },
  );

export async function copyReceipt(receipt: Receipt): Promise<void> {
  const text = await textOf(receipt);
  if (text !== null) {
    await copyText(text, 'Receipt copied');
  }
}

export async function saveReceipt(receipt: Receipt): Promise<void> {
  const text = await textOf(receipt);
  if (text !== null) {
    saveFile(new Blob([text], { type: 'text/plain' }), `receipt-${receipt.at}.txt`);
  }
}

const saving = savingOf({ what: 'The flash history', room: 'Clear it' });

/** The image to write: the files with their addresses, and the release that they belong to. */
export interface ChosenImage {
  readonly files: ReceiptParts['files'];
  readonly release: ChosenRelease | null;
  /** Build of the release that the board gets; null for files that do not depend on the board. */
  readonly build: VersionBuild | null;
}

/** Returns the image for the board at this port. */
export function imageFor(port: PortNumber): ChosenImage {
  const state = flasherStore().getState();
  const { typedOffsets, release, family } = state;
  const files = writeList(filesFor(state, port).files, typedOffsets, family.addresses).flatMap((file) =>
    file.typed.offset === null ? [] : [{ ...file, address: file.typed.offset }],
  );
  return { files, release, build: shownBuild(state, port) };
}

/**
 * Stores the receipt of the flash that has just finished.
 * @param image Files and release as chosen when the write began.
 */
export function keepReceipt(port: PortNumber, { files, release, build }: ChosenImage): void {
  const { board, report } = flashOf(port);
  if (board === null || report === null) {
    return;
  }
  const { family } = flasherStore().getState();
  const named = release && { name: release.name, version: release.chosen.version };
  const idName = family.words.id;
  const inOrder = family.addresses.hidden ?? false;
  const receipt = makeReceipt({ board, idName, report, files, release: named, inOrder, at: Date.now() });
  receiptStore.setState(({ all, byPort }) => ({ all: [...all, receipt], byPort: { ...byPort, [port]: receipt } }));
  saving(() => remember(receipt));
  const shareId = release?.chosen.shareId ?? null;
  if (release !== null && shareId !== null && !receipt.demo) {
    const { name, publisher, chosen } = release;
    saving(() =>
      rememberRelease({
        shareId,
        name,
        publisher,
        version: chosen.version,
        at: receipt.at,
        ...(build !== null && {
          build: { id: build.id, deviceModel: build.deviceModel, name: buildName(build) },
        }),
      }),
    );
  }
}

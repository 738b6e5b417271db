/** The end of a write: starts the program, shows the result, and listens to the program. */

import { resultText } from '@wirebench/flasher/callers';
import type { WriteReport } from '@wirebench/flasher/core';
import { sha256Hex } from '@wirebench/flasher/images';
import { makeReceipt } from '@wirebench/flasher/receipt';
import { receiptText } from '@wirebench/flasher/receipt/text';
import type { ConsoleScreens } from '../console/console-screens.ts';
import { make } from '../element/dom.ts';
import type { Action } from '../element/flash-dialog.ts';
import type { WirebenchSuccessDetail } from '../public-types.ts';
import { awaitReturn, type OfferChoice } from './find-device.ts';
import type { FlashJob, Offer } from './flash-job.ts';
import { chooseAgain, type HeldBoard } from './held-board.ts';
import { reportFlash } from './report-flash.ts';
import { boardFacts, boardFiles, saveContent } from './screens.ts';
import type { SessionParts } from './session-parts.ts';
import type { SessionScreen } from './session-screen.ts';

export interface SuccessScreenParts extends Pick<SessionParts, 'dialog' | 'send' | 'close'> {
  readonly screen: SessionScreen;
  readonly held: HeldBoard;
  /** Leads to the choice of another board. */
  readonly back: (offer: Offer) => Action;
  /** Called when the board is released. */
  readonly onReleased: () => void;
}

/** Returns what a finished write leaves: the detail of its event, and its receipt. */
function successOf(
  { board, release, version }: FlashJob,
  { state, regions, written, same, duration }: WriteReport,
): WirebenchSuccessDetail {
  return {
    name: release.name,
    version: version.version,
    chip: board.chip,
    boardId: board.id,
    demo: board.isDemo,
    verified: state === 'complete',
    written,
    same,
    duration,
    regions: regions.map(({ offset, length, outcome, proof }) => ({ offset, length, outcome, proof })),
  };
}

async function receiptOf({ board, release, version, files }: FlashJob, report: WriteReport): Promise<string> {
  const hashed = await Promise.all(
    files.map(async ({ file, bytes }) => ({
      name: file.name,
      address: file.offset,
      size: bytes.length,
      sha256: file.sha256 ?? (await sha256Hex(bytes)),
      application: null,
    })),
  );
  return receiptText(
    makeReceipt({
      board: { name: board.chip, model: board.name, id: board.id, demo: board.isDemo },
      idName: board.idName,
      report,
      files: hashed,
      release: { name: release.name, version: version.version },
      inOrder: !board.hasAddresses,
      at: Date.now(),
    }),
  );
}

/** Returns the name of the receipt's file, such as `weather-node-1.4.0-24-0a-c4-00-01-10-receipt.txt`. */
function receiptFileName({ release, version, board }: FlashJob): string {
  const name = [release.name, version.version, board.id ?? board.chip]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z\d.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${name}-receipt.txt`;
}

export class SuccessScreen {
  readonly #parts: SuccessScreenParts;

  constructor(parts: SuccessScreenParts) {
    this.#parts = parts;
  }

  async finish(job: FlashJob, report: WriteReport): Promise<void> {
    const { device, board, release, version, build } = job;
    const { dialog, send, screen, held, onReleased } = this.#parts;
    // The write is verified. A board that does not restart by itself has a reset button.
    await board.restart().catch(() => undefined);
    await held.release();
    onReleased();
    if (!board.isDemo && report.written > 0) {
      reportFlash(release, version, build, { result: 'success', chip: board.chip, errorCode: null });
    }
    send('wirebench-success', successOf(job, report));
    const receipt = await receiptOf(job, report);
    if (screen.isOver) {
      return;
    }
    this.#show(job, report, receipt);
    if (board.console !== null && device.source.kind === 'serial') {
      if (board.vanishes && device.source.port.connected === false) {
        const offer: OfferChoice = (choose) => {
          const usual = this.#actions(job, receipt);
          dialog.setActions(choose === null ? usual : [chooseAgain(choose), ...usual]);
        };
        await awaitReturn(device, board.returnLimit, offer);
      }
      const back = () => this.#show(job, report, receipt);
      const improvSeconds = build.improv === false ? 0 : release.improvWaitTime;
      await held.listen(device, board.console, { back, improvSeconds }).catch(() => undefined);
      if (!screen.isOver && held.console !== null) {
        dialog.setActions(this.#actions(job, receipt));
      }
    }
  }

  #show(job: FlashJob, report: WriteReport, receipt: string): void {
    const { board } = job;
    const { dialog, screen } = this.#parts;
    const text = resultText(report);
    screen.show(
      'success',
      report.state === 'complete' ? 'Written and verified' : 'Written',
      [
        make('p', {}, text),
        boardFacts(board),
        ...boardFiles(board.savedFiles),
        board.afterwards === null ? null : make('p', { class: 'alert' }, board.afterwards),
      ],
      this.#actions(job, receipt),
      text,
    );
    screen.onWifi = () => dialog.setActions(this.#actions(job, receipt));
  }

  #actions(job: FlashJob, receipt: string): Action[] {
    const { held, back, close } = this.#parts;
    const { console } = held;
    const hasWifi = console?.hasWifi === true;
    return [
      ...(hasWifi ? [{ label: 'Set up Wi-Fi', isPrimary: true, run: () => this.#open(console, 'wifi') }] : []),
      ...(console === null ? [] : [{ label: 'Monitor', run: () => this.#open(console, 'log') }]),
      {
        label: 'Save receipt',
        run: () => saveContent(receiptFileName(job), new Blob([receipt], { type: 'text/plain' })),
      },
      back(job),
      { label: 'Close', isPrimary: !hasWifi, run: close },
    ];
  }

  #open(console: ConsoleScreens, screen: 'log' | 'wifi'): void {
    this.#parts.screen.onWifi = () => undefined;
    console.open(screen);
  }
}

/** Sends a file by XMODEM, YMODEM or ZMODEM. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { type PortSettings, wireTime } from '@wirebench/port';
import { fileSource } from '@wirebench/serial';
import {
  endNotice,
  type HeldPort,
  SessionLink,
  sendFiles,
  startNotice,
  type Transfer,
  type TransferProtocol,
  type TransferReport,
} from '@wirebench/serial/transfer';
import { BoardOutput } from './board/board-output.ts';
import { readGiven } from './given-file.ts';

export class FileTransfer {
  readonly #file: File;
  readonly #protocol: TransferProtocol;
  readonly #link = new SessionLink();
  #isOver = false;
  /** Begins the wait for the board again. */
  #heard: () => void = () => undefined;

  private constructor(file: File, protocol: TransferProtocol) {
    this.#file = file;
    this.#protocol = protocol;
  }

  /** @throws CommandError for a file that cannot be read. */
  static async open(path: string, protocol: TransferProtocol): Promise<FileTransfer> {
    const content = await readGiven(path);
    const { mtimeMs } = await stat(path);
    return new FileTransfer(new File([content], basename(path), { lastModified: mtimeMs }), protocol);
  }

  /** Takes received bytes for the protocol. Returns false after its end. */
  takes(bytes: Uint8Array): boolean {
    if (!this.#isOver) {
      this.#heard();
      this.#link.received(bytes);
    }
    return !this.#isOver;
  }

  /**
   * Sends the file, with notices and a bar on standard error.
   *
   * @param label Name of the port.
   * @param signal Cancels on both sides, and drains the line.
   * @param limit Longest silence of the board, in milliseconds. Null: that of the protocol.
   */
  async run(
    port: HeldPort,
    label: string,
    settings: PortSettings,
    { signal, limit }: { readonly signal: AbortSignal; readonly limit: number | null },
  ): Promise<TransferReport> {
    const silent = new AbortController();
    let cancel: () => void = () => undefined;
    this.#heard = () => {
      cancel();
      cancel = limit === null ? () => undefined : systemClock.schedule(limit, () => silent.abort());
    };
    const file = this.#file;
    const protocol = this.#protocol;
    const transfer: Transfer = { direction: 'send', protocol, port: label, names: [file.name] };
    const output = new BoardOutput(false, false);
    const say = (text: string) => process.stderr.write(`${text}\n`);
    this.#link.attach(port);
    say(startNotice(transfer).text);
    let most = 0;
    this.#heard();
    const told = await sendFiles(protocol, [{ ...fileSource(file), modified: file.lastModified }], {
      link: this.#link,
      clock: systemClock,
      signal: AbortSignal.any([signal, silent.signal]),
      byteTime: wireTime(settings, 1),
      onProgress: ({ sent, total, rate, left }) => {
        if (sent > most) {
          // A board that takes what comes may be silent.
          most = sent;
          this.#heard();
        }
        output.bar('sending', file.name, { done: sent, total, speed: rate, remaining: left });
      },
    });
    cancel();
    this.#isOver = true;
    const isSilent = silent.signal.aborted && !signal.aborted && told.outcome === 'cancelled';
    const report: TransferReport = isSilent ? { ...told, outcome: 'no-answer' } : told;
    output.clearBar();
    say(endNotice(transfer, report).text);
    return report;
  }
}

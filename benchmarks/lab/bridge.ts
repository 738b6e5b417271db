/** The UART bridge through the RAM program, both ways at once at full rate: TX is wired to RX, and every byte is compared. */
import { uartUp } from '@wirebench/lab';
import { BridgeOutput, startProbe } from '@wirebench/lab/probe';
import { type BenchChip, onVirtualBoard } from './virtual-board.ts';

/** TX and RX: pins with nothing on them. */
const wired = { esp32: [25, 32], esp32c3: [1, 3] } as const;
/** Bytes that are written at a time, and how few may wait before the next. */
const piece = 4_096;
/** Milliseconds without a byte after which nothing more is waited for. */
const silence = 500;

export interface BridgeRates {
  /** Baud, of the bridged line and of the link to the board. */
  readonly line: number;
  readonly link: number;
}

export interface Bridged {
  readonly sent: number;
  readonly received: number;
  /** Bytes that came back as others, counted from the first one. */
  readonly wrong: number;
  /** What the program reported: `ring-full`, `framing`, … */
  readonly errors: readonly string[];
  /** Of what the line carries in one direction. */
  readonly share: number;
  readonly changedFlash: number;
}

/** @param seconds of the virtual clock */
export async function measureBridge(chip: BenchChip, { line, link }: BridgeRates, seconds: number): Promise<Bridged> {
  const output = new BridgeOutput();
  const errors = new Set<string>();
  let sent = 0;
  let received = 0;
  let wrong = 0;
  let duration = 0;
  const changedFlash = await onVirtualBoard(chip, link, async ({ lab, board, rig }) => {
    const [tx, rx] = wired[chip];
    board.short(tx, rx);
    await rig.run(lab.run(uartUp(lab.chip, { tx, rx, baudRate: line })));
    const probe = await rig.run(startProbe(lab));
    const ending = new AbortController();
    const begun = rig.clock.now();
    let lastByte = begun;
    const write = () => {
      while (output.waiting < piece && rig.clock.now() - begun < seconds * 1_000) {
        output.write(Uint8Array.from({ length: piece }, (_, index) => byteAt(sent + index)));
        sent += piece;
      }
    };
    write();
    const bridging = probe.bridge({
      output,
      signal: ending.signal,
      onReport: ({ bytes, errors: reported }) => {
        for (const error of reported) {
          errors.add(error);
        }
        for (const byte of bytes) {
          wrong += byte === byteAt(received) ? 0 : 1;
          received++;
        }
        if (bytes.length > 0) {
          lastByte = rig.clock.now();
        }
        write();
      },
    });
    const supervising = (async () => {
      while (received < sent && rig.clock.now() - lastByte < silence) {
        await rig.clock.sleep(10);
      }
      duration = lastByte - begun;
      ending.abort();
    })();
    await rig.run(Promise.all([bridging, supervising]));
  });
  return { sent, received, wrong, errors: [...errors], share: received / ((duration * line) / 10_000), changedFlash };
}

/** No stretch of it comes again soon, so a lost byte shows. */
function byteAt(index: number): number {
  return (Math.imul(index, 0x9e37_79b1) >>> 21) & 0xff;
}

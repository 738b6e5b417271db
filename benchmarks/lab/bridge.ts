/**
 * The UART bridge through the RAM program, in both directions at full rate. TX is wired to RX, and every byte is
 * compared.
 */
import { uartUp } from '@wirebench/lab';
import { BridgeOutput, startProbe } from '@wirebench/lab/probe';
import { type BenchChip, onVirtualBoard } from './virtual-board.ts';

/** TX and RX on unconnected pins. */
const wired = { esp32: [25, 32], esp32c3: [1, 3] } as const;
/** Bytes of one write. The next write waits until fewer than this many bytes are queued. */
const piece = 4_096;
/** Milliseconds without a byte after which the measurement ends. */
const silence = 500;

export interface BridgeRates {
  /** Baud rates of the bridged line and of the link to the board. */
  readonly line: number;
  readonly link: number;
}

export interface Bridged {
  readonly sent: number;
  readonly received: number;
  /** Received bytes that differ from the sent byte at the same position. */
  readonly wrong: number;
  /** Errors reported by the program: `ring-full`, `framing`, … */
  readonly errors: readonly string[];
  /** Share of the line's capacity in one direction, 0 to 1. */
  readonly share: number;
  readonly changedFlash: number;
}

/**
 * Measures one bridge.
 *
 * @param seconds Duration on the virtual clock.
 */
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

/** Returns a byte of a sequence without early repetitions, so that a lost byte is noticed. */
function byteAt(index: number): number {
  return (Math.imul(index, 0x9e37_79b1) >>> 21) & 0xff;
}

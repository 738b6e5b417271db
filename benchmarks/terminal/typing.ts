/** Latency from a key press to the byte in the port's stream. */
import type { TerminalPage } from './terminal-page.ts';

/** Milliseconds between key presses. Odd, so that they occur at any time within a frame. */
const interval = 173;

declare global {
  interface Window {
    /** Times of pressing Enter, in milliseconds since the Unix epoch. */
    pressed: number[];
  }
  /** Times at which the port accepted the bytes, on the same scale. */
  var written: number[];
}

/**
 * Types a letter into the Screen of the selected port for `duration` milliseconds.
 *
 * @returns Latency of each press in milliseconds, to the moment at which the port has taken the byte.
 */
export async function measureScreenKeys({ page, worker }: TerminalPage, duration: number): Promise<number[]> {
  await page.evaluate(() => {
    const pressed: number[] = [];
    window.pressed = pressed;
    const note = (event: KeyboardEvent) => pressed.push(performance.timeOrigin + event.timeStamp);
    window.addEventListener('keydown', note, { capture: true });
  });
  await worker.evaluate(() => {
    const written: number[] = [];
    globalThis.written = written;
    const { bench } = globalThis.bench;
    const type = bench.type.bind(bench);
    bench.type = async (port, keys) => {
      await type(port, keys);
      written.push(performance.timeOrigin + performance.now());
    };
  });
  await page.locator('.xterm-screen').first().click();
  const end = performance.now() + duration;
  while (performance.now() < end) {
    await page.keyboard.press('a');
    await page.waitForTimeout(interval);
  }
  const pressed = await page.evaluate(() => window.pressed);
  const written = await worker.evaluate(() => globalThis.written);
  if (pressed.length !== written.length) {
    throw new Error(`${pressed.length} presses, but ${written.length} keys were written.`);
  }
  return pressed.map((at, index) => (written[index] ?? Number.NaN) - at);
}

/**
 * Presses Enter in the empty message field for `duration` milliseconds.
 *
 * @returns Latency of each press in milliseconds.
 */
export async function measureKeys(terminal: TerminalPage, duration: number): Promise<number[]> {
  const { page, worker } = terminal;
  await page.evaluate(() => {
    const pressed: number[] = [];
    window.pressed = pressed;
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Enter') {
          pressed.push(performance.timeOrigin + event.timeStamp);
        }
      },
      { capture: true },
    );
  });
  await worker.evaluate(() => {
    const written: number[] = [];
    globalThis.written = written;
    const { bench } = globalThis.bench;
    const send = bench.send.bind(bench);
    bench.send = async (port, bytes) => {
      await send(port, bytes);
      written.push(performance.timeOrigin + performance.now());
    };
  });
  await terminal.message.focus();
  const end = performance.now() + duration;
  while (performance.now() < end) {
    await page.keyboard.press('Enter');
    await page.waitForTimeout(interval);
  }
  const pressed = await page.evaluate(() => window.pressed);
  const written = await worker.evaluate(() => globalThis.written);
  if (pressed.length !== written.length) {
    throw new Error(`${pressed.length} presses, but ${written.length} messages were written.`);
  }
  return pressed.map((at, index) => (written[index] ?? Number.NaN) - at);
}

/**
 * Finds in a program the first line that it prints at its start. Such a line is compiled in only if the program was built
 * to print it, so a start without it is a finding. Most programs hold none: nothing is known of them.
 */
import { asciiBytes, indexOfBytes } from '../core/bytes.ts';

const printedStarts = [
  // Zephyr, kernel/banner.c: `*** Booting Zephyr OS build v3.7.0 ***`. The nRF Connect SDK puts its name there.
  { mark: '*** Booting Zephyr', text: 'the banner of Zephyr' },
  { mark: '*** Booting nRF Connect', text: 'the banner of nRF Connect SDK' },
  // ESP-IDF, components/freertos/app_startup.c: `I (256) main_task: Calling app_main()`.
  { mark: 'Calling app_main()', text: 'the first lines of ESP-IDF' },
].map(({ mark, text }) => ({ mark: asciiBytes(mark), text }));

/** Names what a program prints at its start: `the banner of Zephyr`; null if nothing in it says so. */
export function printedStartOf(...parts: readonly Uint8Array[]): string | null {
  const found = printedStarts.find(({ mark }) => parts.some((bytes) => indexOfBytes(bytes, mark) >= 0));
  return found?.text ?? null;
}

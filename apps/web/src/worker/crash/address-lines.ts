/**
 * Finds code addresses in lines of a port that belong to no crash, while the page has ELF files with code ranges.
 * Keeps the newest lines. Rereads the log from its oldest line after a change of the files.
 */
import {
  type Bench,
  type LineFeed,
  type LineSlice,
  lineText,
  type PortNumber,
  withoutColours,
} from '@wirebench/serial';
import type { IncidentLine, PanicAddress } from '@wirebench/symbols';
import type { CodeRange, Incident } from '../../protocol/bench/crash-part.ts';

/** Lines that are kept: the newest. A program that prints addresses does so without end. The entry says that it is cut. */
const MAX_LINES = 400;
const olderLines = `Only the newest ${MAX_LINES} of these lines are kept.`;
/** Characters of a line that are shown. A person recognises it by its start. The rest is an ellipsis. */
const MAX_TEXT = 400;
/** Addresses of a line that are kept: more than a full screen. The entry says that there are more. */
const MAX_ADDRESSES = 256;
const moreAddresses = `Only the first ${MAX_ADDRESSES} addresses of a line are kept.`;
/** Below the ids of crashes in dropped texts. */
const FIRST_ID = -1_000_000_000;
/** Lowest value that counts as an address. Lower numbers are more often counts and states, even if code begins at 0. */
const LOWEST_ADDRESS = 0x400;
const NUMBER = /(?<![\w.])0x([0-9a-f]{3,8})(?!\w)/gi;

/**
 * Lines of a start: of the ROM (`load:0x40080400,len:4`, `entry 0x400805e4`), and of the bootloader and the start code of
 * ESP-IDF, whose tags are in its sources (`components/bootloader_support`, `esp_system`, `heap`, `spi_flash`).
 */
const BOOT_LINE =
  /^(?:load[: ]0x|entry 0x|ho \d|tail \d|mode:|clk_drv:|configsip:|SPIWP:|csum |chksum|rst:0x|ets |ESP-ROM:|Build:|Saved PC:|boot: )|^[EWID] \(\d+\) (?:boot|esp_image|bootloader|boot_comm|qio_mode|flash_encrypt|secure_boot|efuse|cpu_start|heap_init|memprot|app_init|app_start|octal_psram|quad_psram|esp_psram|psram|spiram|spi_flash|sleep|sleep_gpio|coexist|main_task|cache|mmu|rtc|clk|intr_alloc|segment)(?:[._]\w+)*: /;

const addressSentence = 'Lines of the log have addresses of code in the open ELF files.';

/** Lines of one port with code addresses outside of a crash. */
export class AddressLines {
  readonly #bench: Bench;
  readonly #port: PortNumber;
  #ranges: readonly CodeRange[] = [];
  #feed: LineFeed | null = null;
  #lines: (IncidentLine & { readonly at: number })[] = [];
  /** Highest number of a cleared line. */
  #clearedTo = -1;
  #lastSequence = -1;
  /** True: older lines were left out. */
  #isCut = false;

  constructor(bench: Bench, port: PortNumber) {
    this.#bench = bench;
    this.#port = port;
  }

  /** @param ranges Code ranges. Empty: stops the search. */
  setRanges(ranges: readonly CodeRange[]): void {
    this.#ranges = ranges;
    this.#lines = [];
    this.#isCut = false;
    this.#feed = ranges.length === 0 ? null : this.#bench.lineFeed(this.#port);
  }

  get isComplete(): boolean {
    return this.#feed?.complete ?? true;
  }

  /**
   * Reads the next lines. Returns false if there are none.
   * @param isMarked Returns true for a line of a crash.
   */
  advance(isMarked: (sequence: number) => boolean, decoder: TextDecoder): boolean {
    const slice = this.#feed?.read() ?? null;
    if (slice === null) {
      return false;
    }
    if (decoder.decode(slice.bytes).includes('0x')) {
      this.#look(slice, isMarked);
    }
    return true;
  }

  /** The kept lines as one incident, whose id is fixed for the port. Null without lines. */
  get incident(): Incident | null {
    const shown = this.#lines.filter(({ sequence }) => sequence > this.#clearedTo);
    const [first, last] = [shown[0], shown.at(-1)];
    if (first === undefined || last === undefined) {
      return null;
    }
    const lines = shown.map(({ at: _at, ...line }, index) =>
      index === 0 ? { ...line, sentence: addressSentence, ...(this.#isCut && { missing: olderLines }) } : line,
    );
    const { at } = first;
    return {
      id: FIRST_ID - this.#port,
      port: this.#port,
      at,
      until: last.at,
      severity: 'notice',
      chip: null,
      hash: null,
      lines,
    };
  }

  clear(): void {
    this.#clearedTo = this.#lastSequence;
  }

  restoreCleared(): void {
    this.#clearedTo = -1;
  }

  #look({ bytes, lines }: LineSlice, isMarked: (sequence: number) => boolean): void {
    for (const { start, end, sequence, at } of lines) {
      this.#lastSequence = sequence;
      const text = withoutColours(lineText(bytes.subarray(start, end)));
      // A start prints where it loads code, and is no crash.
      const addresses = isMarked(sequence) || BOOT_LINE.test(text) ? [] : this.#addressesIn(text);
      if (addresses.length > 0) {
        const line = {
          kind: 'address',
          severity: 'notice',
          addresses: addresses.slice(0, MAX_ADDRESSES),
          sequence,
          text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text,
          ...(addresses.length > MAX_ADDRESSES && { missing: moreAddresses }),
        } as const;
        this.#lines.push({ ...line, at });
      }
    }
    this.#isCut ||= this.#lines.length > MAX_LINES;
    this.#lines.splice(0, this.#lines.length - MAX_LINES);
  }

  #addressesIn(text: string): PanicAddress[] {
    return [...text.matchAll(NUMBER)].flatMap(([, digits = '']): PanicAddress[] => {
      const value = Number.parseInt(digits, 16);
      const isCode = value >= LOWEST_ADDRESS && this.#ranges.some(({ low, high }) => value >= low && value < high);
      return isCode ? [{ value, role: 'register', label: 'In a line' }] : [];
    });
  }
}

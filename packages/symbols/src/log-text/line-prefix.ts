/**
 * Removes prefixes that a tool wrote before each line of a board: times, ports, levels, tags, quotation marks. Rules
 * for crashes then see the text as printed by the board and may be anchored at its start.
 *
 * Two methods find a prefix. Common parts are recognised by their form. Any other prefix is learned from a line with
 * a known opening of a crash; numbers may differ in the lines that follow. The prefix of ESP-IDF's own log (`E (995)
 * task_wdt: `) is not removed, because the board printed it.
 */
import { exportedLine } from './exported-line.ts';
import { visibleText } from './visible-text.ts';

const TIME = '\\d{1,2}:\\d{2}:\\d{2}(?:[.,:]\\d{1,9})?(?: ?[AP]M)?(?:Z|[+-]\\d{2}:?\\d{2})?';
const DAY = '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const LEVEL = 'TRACE|VERBOSE|DEBUG|DBG|INFO|INF|NOTICE|WARN|WARNING|WRN|ERROR|ERR|FATAL|CRITICAL';

/**
 * Parts of a prefix, each with the blanks after it. No part matches the start of a register row, a stack row or
 * Base64. Sources: Arduino IDE's serial monitor (`12:34:56.789 -> `), `idf.py monitor --timestamps`, ESPHome
 * (`[12:34:56][C][esp32.crash:123]: `), Zephyr and nRF5 SDK (`[00:00:01.234,000] <err> os: `, `E: `), Arduino core
 * for ESP32 (`[ 1234][E][main.cpp:12] `), PlatformIO's `time` filter (`12:34:56.789 > `), tio and grabserial
 * (`[12:34:56.789] `, `[1.234567 0.000012] `), `ts` and syslog (`Nov 25 12:34:56 `), journalctl (`host esphome[812]: `), docker compose (`name | `).
 */
const PART = new RegExp(
  [
    // Text in brackets, with the separator after it. A title such as `[HardFault]` is text of the board.
    '\\[(?![^\\]]*(?:Fault|FAULT|ard fault))[^\\[\\]]+\\][:;,]?\\s*',
    // Logs of Zephyr and the nRF5 SDK, and Zephyr's short form.
    '<(?:err|wrn|inf|dbg|error|warning|info|debug)>\\s+[\\w./-]+:\\s*',
    '[EWID]:(?:\\s+|$)',
    // Date and time.
    `(?:${DAY})[T _,]+(?=\\d)`,
    `(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?${MONTH} {1,2}\\d{1,2} (?=\\d{1,2}:)(?:${TIME})(?: \\d{4})?\\s+`,
    `(?:${TIME})(?:\\s*(?:->|=>|(?:[|,;-]|>(?!>)|:(?!\\d)))\\s*|\\s+)`,
    // The host and the process in a system log.
    '[\\w.-]+ [\\w./@-]+\\[\\d+\\]:\\s+',
    // A counter, followed by an arrow or a bar.
    '\\d{1,12}(?:\\.\\d{1,9})?\\s*(?:->|=>|\\|)\\s*',
    // A level, a port, a direction. nRF5 SDK's own `ERROR 4 [NRF_ERROR_NO_MEM]` is kept.
    `(?:${LEVEL})(?:\\s*[:|>]\\s*|\\s+(?!\\(|\\d{1,10} \\[))`,
    '(?:/dev/[\\w./-]+|COM\\d{1,3}|tty[A-Za-z]{1,4}\\d{1,3}|Port \\d{1,2})(?:\\s*[:|>]\\s*|\\s+)',
    '(?:RX|TX)(?:\\s*[:|>]\\s*|\\s+)',
    // A name followed by a bar.
    '[A-Za-z][\\w.-]*\\s+\\|\\s+',
    // Arrows, bars and quotation marks. ESP8266's own `>>>stack>>>` is kept.
    '(?:->|=>|<<|\\|)\\s+',
    '>(?=>>>stack)|>(?!>)\\s*|>(?=> )|>{2,3}\\s+',
  ].join('|'),
  'y',
);

/**
 * Words of a dump: text with them is not a prefix but an interrupted line of a dump. Base64 has no end before the text
 * that interrupts it. Paths and identifiers of containers, which are as long, are followed by a sign or a blank.
 */
const DUMP = /\b0x[0-9a-f]{6,8}\b|\b[0-9a-f]{8}:|[A-Za-z0-9+/]{32}$/i;

export class LinePrefix {
  readonly #openings: readonly RegExp[];
  #learned: { readonly head: string; readonly form: RegExp } | null = null;

  /**
   * @param openings texts that boards print only at the start of a line, without `^` and the flags `g` and `y`. The
   *   text before an opening becomes the learned prefix.
   */
  constructor(openings: readonly RegExp[]) {
    this.#openings = openings.map(({ source, flags }) => new RegExp(source, `${flags}g`));
  }

  /**
   * Returns the line as printed by the board, without prefix, terminal control and surrounding blanks. Returns an
   * empty text for sent bytes and notices of a Wirebench export.
   * @param line without its line feed
   * @param mayOpen false: the line has no opening, and no prefix is learned from it
   */
  strip(line: string, mayOpen = true): string {
    const visible = visibleText(line);
    const exported = exportedLine(visible);
    if (exported !== undefined && !exported.isReceived) {
      return '';
    }
    const text = visibleText(exported?.text ?? visible);
    const start = this.#prefixLength(text);
    const opening = mayOpen ? this.openingIn(text.slice(start)) : null;
    if (opening === null || opening === 0 || DUMP.test(text.slice(start, start + opening))) {
      return text.slice(start).trim();
    }
    this.#learn(text.slice(0, start + opening));
    return text.slice(start + opening).trim();
  }

  /** Returns the index of the first opening in `text` that begins at `from` or later; null if no opening follows. */
  openingIn(text: string, from = 0): number | null {
    let first: number | null = null;
    for (const opening of this.#openings) {
      opening.lastIndex = from;
      const index = opening.exec(text)?.index ?? null;
      first = index !== null && (first === null || index < first) ? index : first;
    }
    return first;
  }

  #prefixLength(text: string): number {
    let at = this.#learned?.form.exec(text)?.[0].length ?? 0;
    for (;;) {
      PART.lastIndex = at;
      const length = PART.exec(text)?.[0].length ?? 0;
      if (length === 0) {
        return at;
      }
      at += length;
    }
  }

  #learn(head: string): void {
    if (head.trim() !== '' && head !== this.#learned?.head) {
      this.#learned = { head, form: new RegExp(`^${formOf(head)}`) };
    }
  }
}

/**
 * Returns a pattern that matches a prefix in other lines. Numbers and levels may differ from line to line, and so may
 * the blanks that align them. Two numbers keep a blank between them, so that matching takes time in proportion to the
 * line.
 */
function formOf(head: string): string {
  const pieces = head.split(/(0x[0-9a-f]+|\s+(?=0x)|\s*\d+|\s+)/i).filter((piece) => piece !== '');
  return pieces
    .map((piece, index) => {
      const blanks = /\d$/.test(pieces[index - 1] ?? '') ? '\\s+' : '\\s*';
      if (/^0x/i.test(piece)) {
        return '0x[0-9a-fA-F]+';
      }
      if (/^\s*\d/.test(piece)) {
        return `${blanks}\\d+`;
      }
      return /^\s/.test(piece) ? '\\s*' : escaped(piece).replaceAll(levels, '[A-Z]+');
    })
    .join('');
}

const levels = new RegExp(`\\b(?:${LEVEL})\\b`, 'g');

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

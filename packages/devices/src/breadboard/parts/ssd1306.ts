/**
 * SSD1306, the controller of a display of 128 × 64 pixels. Solomon Systech SSD1306 data sheet, sections 8.1.5 "MCU I2C Interface",
 * 9 "Command Table" and 10 "Command Descriptions".
 */
import type { I2cTarget } from '../buses.ts';

const [width, height, pages] = [128, 64, 8];

/** Argument bytes after a command byte. Commands not listed have no arguments. */
const argumentCounts = new Map([
  [0x20, 1],
  [0x21, 2],
  [0x22, 2],
  [0x81, 1],
  [0x8d, 1],
  [0xa8, 1],
  [0xd3, 1],
  [0xd5, 1],
  [0xd9, 1],
  [0xda, 1],
  [0xdb, 1],
  [0x26, 6],
  [0x27, 6],
  [0x29, 5],
  [0x2a, 5],
  [0xa3, 2],
]);

const defaults = {
  on: false,
  inverted: false,
  allOn: false,
  pump: false,
  contrast: 0x7f,
  mode: 2,
  startLine: 0,
  offset: 0,
  rows: 64,
  mirroredColumns: false,
  mirroredRows: false,
};

export class Ssd1306 implements I2cTarget {
  readonly address: number;
  readonly #memory = new Uint8Array(width * pages);
  #settings = { ...defaults };
  #columns = { start: 0, end: width - 1, at: 0 };
  #pages = { start: 0, end: pages - 1, at: 0 };
  #control: { data: boolean; continues: boolean } | null = null;
  #pending: number[] = [];

  /** @param address 0x3c, or 0x3d with SA0 high. */
  constructor(address = 0x3c) {
    this.address = address;
  }

  powerUp(): void {
    this.#settings = { ...defaults };
    this.#columns = { start: 0, end: width - 1, at: 0 };
    this.#pages = { start: 0, end: pages - 1, at: 0 };
    this.#pending = [];
    this.#memory.fill(0);
  }

  /** True if the panel emits light: the display and its charge pump are on. */
  get lit(): boolean {
    return this.#settings.on && this.#settings.pump;
  }

  /** 0 to 255. */
  get contrast(): number {
    return this.#settings.contrast;
  }

  /** The visible image: 128 × 64 values of 0 or 1, in rows from the upper left. All 0 while the panel is off. */
  get pixels(): Uint8Array<ArrayBuffer> {
    const { inverted, allOn, startLine, offset, rows, mirroredColumns, mirroredRows } = this.#settings;
    const seen = new Uint8Array(width * height);
    if (!this.lit) {
      return seen;
    }
    for (let y = 0; y < rows; y++) {
      // Modules are mounted so that remapped segments and rows (A1, C8) read upright.
      const common = mirroredRows ? y : rows - 1 - y;
      const line = (common + startLine + offset) % height;
      for (let x = 0; x < width; x++) {
        const column = mirroredColumns ? x : width - 1 - x;
        const bit = ((this.#memory[(line >> 3) * width + column] ?? 0) >> (line & 7)) & 1;
        seen[y * width + x] = allOn ? 1 : inverted ? 1 - bit : bit;
      }
    }
    return seen;
  }

  select(): boolean {
    this.#control = null;
    return true;
  }

  write(byte: number): boolean {
    if (this.#control === null) {
      this.#control = { data: (byte & 0x40) !== 0, continues: (byte & 0x80) !== 0 };
      return true;
    }
    if (this.#control.data) {
      this.#store(byte);
    } else {
      this.#command(byte);
    }
    if (this.#control.continues) {
      this.#control = null;
    }
    return true;
  }

  /** Returns the status: bit 6 is set while the display is off. */
  read(): number {
    return this.#settings.on ? 0x03 : 0x43;
  }

  #store(byte: number): void {
    this.#memory[this.#pages.at * width + this.#columns.at] = byte;
    const step = (range: { start: number; end: number; at: number }): boolean => {
      const wraps = range.at === range.end;
      range.at = wraps ? range.start : (range.at + 1) % (range === this.#columns ? width : pages);
      return wraps;
    };
    const { mode } = this.#settings;
    if (mode === 2) {
      this.#columns.at = (this.#columns.at + 1) % width;
    } else if (mode === 0) {
      if (step(this.#columns)) {
        step(this.#pages);
      }
    } else if (step(this.#pages)) {
      step(this.#columns);
    }
  }

  #command(byte: number): void {
    this.#pending.push(byte);
    const [command = 0, first = 0, second = 0] = this.#pending;
    if (this.#pending.length <= (argumentCounts.get(command) ?? 0)) {
      return;
    }
    this.#pending = [];
    this.#obey(command, first, second);
  }

  #obey(command: number, first: number, second: number): void {
    const settings = this.#settings;
    if (command < 0x10) {
      this.#columns.at = (this.#columns.at & 0x70) | command;
    } else if (command < 0x20) {
      this.#columns.at = ((command & 7) << 4) | (this.#columns.at & 0x0f);
    } else if (command >= 0x40 && command < 0x80) {
      settings.startLine = command & 0x3f;
    } else if (command >= 0xb0 && command < 0xb8) {
      this.#pages.at = command & 7;
    } else {
      switch (command) {
        case 0x20:
          settings.mode = first & 3;
          break;
        case 0x21:
          this.#columns = { start: first & 0x7f, end: second & 0x7f, at: first & 0x7f };
          break;
        case 0x22:
          this.#pages = { start: first & 7, end: second & 7, at: first & 7 };
          break;
        case 0x81:
          settings.contrast = first;
          break;
        case 0x8d:
          settings.pump = (first & 4) !== 0;
          break;
        case 0xa8:
          settings.rows = Math.max(16, (first & 0x3f) + 1);
          break;
        case 0xd3:
          settings.offset = first & 0x3f;
          break;
        default:
          this.#switch(command);
      }
    }
  }

  /** Executes the commands whose lowest bits are their argument. Ignores unknown commands. */
  #switch(command: number): void {
    const on = (command & 1) === 1;
    const settings = this.#settings;
    if (command >> 1 === 0xa0 >> 1) {
      settings.mirroredColumns = on;
    } else if (command >> 1 === 0xa4 >> 1) {
      settings.allOn = on;
    } else if (command >> 1 === 0xa6 >> 1) {
      settings.inverted = on;
    } else if (command >> 1 === 0xae >> 1) {
      settings.on = on;
    } else if (command >> 4 === 0xc) {
      settings.mirroredRows = (command & 8) !== 0;
    }
  }
}

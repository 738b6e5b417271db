/**
 * The demo board as it is offered: the board with a shell, and behind it the ESP32 that a flasher can write. Its shell
 * runs until something is written or erased; from then on the chip starts what its flash contains.
 */
import { EspDevice } from '../esp/esp-device.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import type { Link, UartSettings } from '../wire/link.ts';
import { ChattyBoard, type ChattyBoardOptions } from './chatty-board.ts';

/** Loader commands that change flash: FLASH_DATA, FLASH_DEFL_DATA, ERASE_FLASH, ERASE_REGION (esptool, `loader.py`). */
const changingCommands = [0x03, 0x11, 0xd0, 0xd1];

export class FlashableBoard implements Device {
  readonly #options: ChattyBoardOptions;
  readonly #shell: ChattyBoard;
  /** The chip's bootloader and flash; null until a host has talked to the bootloader. */
  #chip: EspDevice | null = null;
  /** True: the chip has not entered its bootloader yet. The shell has announced that already. */
  #chipStarts = false;
  #line: DeviceLine | null = null;
  #lines: ControlLines = { dtr: false, rts: false, break: false };
  #opened: UartSettings | null = null;

  constructor(options: ChattyBoardOptions) {
    this.#options = options;
    this.#shell = new ChattyBoard(options);
  }

  get link(): Link {
    return this.#chipSpeaks && this.#chip !== null ? this.#chip.link : this.#shell.link;
  }

  attach(line: DeviceLine): void {
    this.#line = line;
    this.#shell.attach(partOf(line, () => !this.#chipSpeaks));
    this.#attachChip(line);
  }

  detach(): void {
    this.#shell.detach();
    this.#chip?.detach();
    this.#line = null;
    this.#opened = null;
    this.#lines = { dtr: false, rts: false, break: false };
  }

  controlChanged(lines: ControlLines): void {
    this.#lines = lines;
    this.#shell.controlChanged(lines);
    this.#chip?.controlChanged(lines);
  }

  hostOpened(settings: UartSettings): void {
    this.#opened = settings;
    this.#shell.hostOpened();
    this.#chip?.hostOpened(settings);
  }

  receive(bytes: Uint8Array): void {
    if (this.#shell.state === 'download') {
      this.#startChip();
    }
    if (this.#chipSpeaks) {
      this.#chip?.receive(bytes);
    } else {
      this.#shell.receive(bytes);
    }
  }

  receiveDamaged(error: 'framing' | 'parity', byte: number): void {
    if (this.#chipSpeaks) {
      this.#chip?.receiveDamaged(error, byte);
    } else {
      this.#shell.receive(Uint8Array.of(byte));
    }
  }

  writable(): void {
    this.#shell.writable();
  }

  /** True: the wire belongs to the chip, because it is in its bootloader or has another program by now. */
  get #chipSpeaks(): boolean {
    return this.#chip !== null && (this.#shell.state === 'download' || this.#isFlashed);
  }

  get #isFlashed(): boolean {
    return changingCommands.some((command) => (this.#chip?.commands.get(command) ?? 0) > 0);
  }

  /** Creates the chip in its bootloader, in the state in which the reset circuit has left it. */
  #startChip(): void {
    if (this.#chip !== null || this.#line === null || this.#opened === null) {
      return;
    }
    const { baudRate, seed } = this.#options;
    this.#chip = new EspDevice({
      chip: 'esp32',
      profile: 'real-flash',
      calibration: 'typical',
      flash: { content: 'demo' },
      powerUp: 'first-open',
      ...(seed !== undefined && { seed }),
      ...(baudRate !== undefined && { appBaudRate: baudRate }),
    });
    this.#chipStarts = true;
    this.#attachChip(this.#line);
    this.#chip.controlChanged(this.#lines);
    this.#chip.holdBoot(true);
    this.#chip.hostOpened(this.#opened);
    this.#chip.holdBoot(false);
  }

  #attachChip(line: DeviceLine): void {
    const isHeard = () => {
      this.#chipStarts &&= this.#chip?.state !== 'download';
      return this.#chipSpeaks && !this.#chipStarts;
    };
    this.#chip?.attach(partOf(line, isHeard));
  }
}

/** Returns the line for one of two parts that share it: what a part writes while it is not heard is dropped. */
function partOf(line: DeviceLine, isHeard: () => boolean): DeviceLine {
  return {
    get clock() {
      return line.clock;
    },
    get pending() {
      return line.pending;
    },
    write: (bytes) => {
      if (isHeard()) {
        line.write(bytes);
      }
    },
    sendBreak: () => {
      if (isHeard()) {
        line.sendBreak();
      }
    },
    setInputs: (inputs) => line.setInputs(inputs),
  };
}

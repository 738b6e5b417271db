/**
 * The clients of the benchmark. Both open the same pseudo-terminal, behind which the board resets, and both know the rate
 * of the bootloader. This one knows the USB ids of the board, avrdude its protocol and part.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemClock } from '@wirebench/clock';
import { connectAvr } from '@wirebench/flasher/avr';
import { type GenuineBoardName, genuineBoards, type SimavrTerminal } from '@wirebench/flasher/testing/genuine-avr';
import { TerminalPort } from './terminal-port.ts';

export interface Client {
  readonly name: string;
  /** Writes a sketch to address 0 and verifies it, from opening the port to closing it. */
  flash(board: GenuineBoardName, terminal: SimavrTerminal, sketch: SketchFile): Promise<void>;
}

export interface SketchFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export const ours: Client = {
  name: 'wirebench',
  async flash(name, terminal, { bytes }) {
    const { baudRate, usbVendorId, usbProductId } = genuineBoards[name];
    const port = new TerminalPort(terminal, { usbVendorId, usbProductId });
    const options = { clock: systemClock, resetWindow: 0, ...(baudRate !== null && { baudRate }) };
    const board = await connectAvr(port, options);
    await board.write([{ offset: 0, bytes }]);
    await board.close();
  },
};

/** With the options of the Arduino IDE: no erase of the chip, and a verification. */
export const avrdude: Client = {
  name: 'avrdude 7.1',
  async flash(name, { path }, sketch) {
    const { mcu, baudRate } = genuineBoards[name];
    const protocol = name === 'mega' ? 'wiring' : 'arduino';
    const args = ['-c', protocol, '-p', mcu, '-b', `${baudRate}`, '-P', path, '-D', '-U', `flash:w:${sketch.path}:r`];
    await promisify(execFile)('avrdude', args, { timeout: 120_000 });
  },
};

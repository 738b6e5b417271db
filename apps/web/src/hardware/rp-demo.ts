/** Simulated Raspberry Pi boards: fetched with the first one, because pages of other boards have few bytes left. */
import type { Clock } from '@wirebench/clock';
import { RpBoard, rpFirmware, rpFirmwareUf2 } from '@wirebench/devices/rp';
import { buildImage } from '@wirebench/flasher/file-systems';

/** Raspberry Pi boards, one for each chip, and one whose PICOBOOT interface has no driver, as on Windows. */
export type RpDemoModel = 'pico' | 'pico2' | 'pico-drive';

interface RpDemoOptions {
  readonly clock: Clock;
  /** Receives the new port after a replug. */
  readonly onAppeared: (port: SerialPort) => void;
}

const rpChips = { pico: 'rp2040', pico2: 'rp2350', 'pico-drive': 'rp2040' } as const satisfies Record<
  RpDemoModel,
  string
>;

/** Place of the files of MicroPython on a Pico, from the start of flash (MicroPython, `boards/RPI_PICO/mpconfigboard.h`). */
const microPythonFiles = { offset: 0xa_0000, size: 1_408 * 1_024 };

/** Files that MicroPython has left in the flash of the demo Pico. */
const demoFiles: Readonly<Record<string, string>> = {
  '/boot.py': '# Runs before main.py, at each start.\n',
  '/main.py':
    'from machine import Pin\nfrom time import sleep\nfrom blink import pattern\n\nled = Pin(25, Pin.OUT)\nwhile True:\n    for on in pattern:\n        led.value(on)\n        sleep(0.2)\n',
  '/lib/blink.py': 'pattern = (1, 0, 1, 0, 0)\n',
  '/data/temperature.csv': 'seconds,celsius\n0,21.4\n60,21.6\n120,21.5\n',
};

/** Creates a board that runs a program, and resolves once the port of the program is there. */
export async function createRpDemo(model: RpDemoModel, { clock, onAppeared }: RpDemoOptions) {
  const chip = rpChips[model];
  const info = { name: 'hello_usb', version: '1.0.0' };
  const data = rpFirmware({ chip, text: 'Hello from the Pico\r\n', size: 4_096, info });
  const content = [{ offset: 0, data }, ...(model === 'pico' ? [fileSystem()] : [])];
  const board = new RpBoard({ chip, content, clock, profile: 'real-flash', isHeld: model === 'pico-drive' });
  await new Promise<void>((resolve) => {
    board.serial.addEventListener('connect', () => {
      if (board.port !== null) {
        onAppeared(board.port);
        resolve();
      }
    });
  });
  return {
    get port() {
      return board.port;
    },
    get plugged() {
      return board.state !== 'off';
    },
    usb: board.usb,
    drive: board.drive,
    device: board,
    display: () => null,
    unplug: () => board.unplug(),
    replug: () => board.replug(),
  };
}

/** Returns the file system in the flash of the demo Pico. */
function fileSystem() {
  const text = new TextEncoder();
  const files = Object.entries(demoFiles).map(([path, content]) => ({ path, bytes: text.encode(content) }));
  return { offset: microPythonFiles.offset, data: buildImage('littlefs', microPythonFiles.size, files) };
}

/** Size of the program in bytes: large enough to show a progress bar at the times of real flash. */
const DEMO_RP_PROGRAM = 131_072;

/** Returns a program that this demo board runs: it says hello on its own USB port. */
export async function rpDemoFirmware(model: RpDemoModel) {
  const text = `Wirebench demo for ${rpChips[model].toUpperCase()}\r\nHello from the program that you have just flashed.\r\n`;
  const info = { name: 'wirebench-demo', version: '2.0.0' };
  const bytes = rpFirmwareUf2({ chip: rpChips[model], text, info, size: DEMO_RP_PROGRAM, seed: 2, demoOnly: true });
  return [{ name: `wirebench-demo-${rpChips[model]}.uf2`, bytes }];
}

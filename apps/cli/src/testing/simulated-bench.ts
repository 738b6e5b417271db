/** The machine on which examples run: three boards at its ports, and the files that the examples name. */
import { AvrDevice, avrFirmwareHex, crashText, type Device, EspDevice, espFirmwareSet } from '@wirebench/devices';
import { buildApp, buildBootloader, buildTable, factoryLayout } from '@wirebench/flasher/testing';
import { nvsImage } from '../../../../packages/devices/src/esp/firmware/nvs-image.ts';
import { createModel } from '../../../../packages/devices/src/models.ts';
import type { ControlLines, DeviceLine } from '../../../../packages/devices/src/wire/device.ts';
import type { UartSettings } from '../../../../packages/devices/src/wire/link.ts';
import { type PluggedBoard, SimulatedMachine } from './simulated-machine.ts';

const bridge = { vendor: '0403', product: '6001', serial: 'A50285BI', maker: 'FTDI', title: 'FT232R USB UART' };

/** The build of the program `lamp`, as real boards take it: simulated programs are for simulated ports alone. */
function lampFiles(version: string) {
  return [
    { name: 'bootloader/bootloader.bin', offset: 0x1000, data: buildBootloader({ size: 12_000 }) },
    { name: 'partition_table/partition-table.bin', offset: 0x8000, data: buildTable(factoryLayout) },
    { name: 'lamp.bin', offset: 0x10000, data: buildApp({ project: 'lamp', version, size: 20_000 }) },
  ];
}

/** Settings of the program, in the place of its partition table. */
const settings = {
  offset: 0x9000,
  data: nvsImage(
    [
      { namespace: 'wifi', key: 'ssid', type: 'string', value: 'bench' },
      { namespace: 'wifi', key: 'password', type: 'string', value: 'not a secret' },
      { namespace: 'app', key: 'interval_s', type: 'u32', value: 60 },
      { namespace: 'app', key: 'old_token', type: 'string', value: 'T-17' },
    ],
    0x6000,
  ),
};

/** Pause between two lines of the program, in milliseconds. */
const PAUSE = 500;

/**
 * An ESP32 with the program `lamp`, which prints its state again and again and answers `version`. The simulated chip
 * prints its start only.
 */
class LampBoard implements Device {
  readonly #chip: EspDevice;
  #line: DeviceLine | null = null;
  #printed = '';
  #typed = '';
  /** Ends the output of a program that was restarted. */
  #cancel: () => void = () => undefined;

  constructor() {
    this.#chip = new EspDevice({
      chip: 'esp32',
      seed: 1,
      flash: { content: [...lampFiles('1.0.0'), settings] },
      enRiseTime: 10,
    });
  }

  get link() {
    return this.#chip.link;
  }

  attach(line: DeviceLine): void {
    this.#line = line;
    const write = (bytes: Uint8Array) => {
      line.write(bytes);
      this.#printed = (this.#printed + new TextDecoder().decode(bytes)).slice(-2_000);
      if (this.#printed.endsWith('Started on CPU0\r\n')) {
        this.#cancel();
        this.#run(line, 1);
      }
    };
    const { clock } = line;
    this.#chip.attach({
      clock,
      get pending() {
        return line.pending;
      },
      write,
      sendBreak: () => line.sendBreak(),
      setInputs: (inputs) => line.setInputs(inputs),
    });
  }

  detach(): void {
    this.#chip.detach();
    this.#line = null;
  }

  controlChanged(lines: ControlLines): void {
    this.#chip.controlChanged(lines);
  }

  hostOpened(settings: UartSettings): void {
    this.#chip.hostOpened(settings);
  }

  receive(bytes: Uint8Array): void {
    this.#chip.receive(bytes);
    if (this.#chip.state === 'running') {
      this.#typed += new TextDecoder().decode(bytes);
      const lines = this.#typed.split(/\r?\n/);
      this.#typed = lines.pop() ?? '';
      for (const line of lines) {
        this.#say(/version$|^ATI$/.test(line) ? `lamp ${this.#version}\r\nOK\r\n` : `unknown command: ${line}\r\n`);
      }
    }
  }

  /** Prints until the chip leaves the program. */
  #run({ clock }: DeviceLine, count: number): void {
    this.#cancel = clock.schedule(count === 1 ? 10 : PAUSE, () => {
      if (this.#line !== null && (this.#chip.state === 'running' || count === 1)) {
        const time = count * PAUSE;
        this.#say(`I (${time}) lamp: self test ${count}: PASS\r\nI (${time}) lamp: boot in 412 ms, up in 480 ms\r\n`);
        this.#run(this.#line, count + 1);
      }
    });
  }

  get #version(): string {
    return /App version: +(\S+)/.exec(this.#printed)?.[1] ?? '';
  }

  #say(text: string): void {
    this.#line?.write(new TextEncoder().encode(text));
  }
}

const boards: Readonly<Record<string, () => PluggedBoard>> = {
  ttyUSB0: () => ({ device: new LampBoard(), usb: bridge }),
  ttyUSB1: () => ({ device: createModel('chatty', { seed: 2 }), usb: { ...bridge, serial: 'A50285BJ' } }),
  ttyACM0: () => ({
    device: new AvrDevice({ board: 'arduino-uno', patience: 20 }),
    usb: { vendor: '2341', product: '0043', serial: '7513', maker: 'Arduino', title: 'Arduino Uno' },
  }),
};

const noPanic = { name: 'No panic', when: { line: 'panic' }, must: 'not-fire' };
/** Tests that pass on each board, and on the first two together. */
const jkits = {
  'smoke.jkit.json': { fields: [], rules: [noPanic] },
  'link.jkit.json': {
    fields: [
      { content: 'version', expect: 'OK', timeoutMs: 5_000 },
      { content: 'info', expect: 'uptime', timeoutMs: 5_000, board: 2 },
    ],
  },
};

/** A Modbus line: an answer, a refusal, a question without an answer, a write. */
const busLog = [
  '2026-11-20 14:00:00.000  Port 1  TX  07 03 00 00 00 02 C4 6D',
  '2026-11-20 14:00:00.018  Port 1  RX  07 03 04 00 E7 00 0C 2C 01',
  '2026-11-20 14:00:01.000  Port 1  TX  0C 03 01 F4 00 01 C5 19',
  '2026-11-20 14:00:01.020  Port 1  RX  0C 83 02 51 32',
  '2026-11-20 14:00:02.000  Port 1  TX  09 03 00 00 00 01 85 42',
  '2026-11-20 14:00:04.000  Port 1  TX  07 06 00 03 00 01 B8 6C',
  '2026-11-20 14:00:04.016  Port 1  RX  07 06 00 03 00 01 B8 6C',
];

/** Plugs in the boards that the lines name, and saves the files of the examples. */
export async function benchFor(lines: readonly string[]): Promise<SimulatedMachine> {
  const machine = new SimulatedMachine();
  const isNamed = (name: string, { usb }: PluggedBoard) =>
    lines.some((line) => line.includes(name) || line.includes(usb.serial));
  const plugged = Object.entries(boards).map(([name, board]) => [name, board()] as const);
  const named = plugged.filter(([name, board]) => isNamed(name, board));
  // Lines that name no port have the first board alone. It is the newest of several.
  for (const [name, board] of (named.length > 0 ? named : plugged.slice(0, 1)).toReversed()) {
    await machine.plug(name, board);
  }
  const files = lampFiles('1.1.0');
  const flashed = Object.fromEntries(files.map(({ name, offset }) => [`0x${offset.toString(16)}`, name]));
  const list = JSON.stringify({ flash_files: flashed, extra_esptool_args: { chip: 'esp32' } });
  // `lamp` is the folder of a release.
  for (const folder of ['build', 'lamp']) {
    for (const { name, data } of [...files, { name: 'flasher_args.json', data: list }]) {
      machine.save(`${folder}/${name}`, data);
    }
  }
  machine.save('bus.log', `${busLog.join('\n')}\n`);
  machine.save('nvs.bin', settings.data);
  machine.save('cert.pem', 'no certificate');
  for (const name of ['script.txt', 'commands.txt']) {
    machine.save(name, 'version\n');
  }
  for (const [name, jkit] of Object.entries(jkits)) {
    machine.save(name, JSON.stringify(jkit));
  }
  machine.save('firmware.hex', avrFirmwareHex({ size: 2_000 }));
  for (const log of ['run.txt', 'panic.txt']) {
    machine.save(log, `lamp: start\r\n${crashText('null', 4_200)}`);
  }
  const demo = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: 'any' });
  for (const elf of ['build/lamp.elf', 'build/app.elf', 'app.elf', 'build/bootloader/bootloader.elf']) {
    machine.save(elf, demo.find(({ name }) => name.endsWith('.elf'))?.data ?? '');
  }
  for (const [index, name] of ['bootloader.bin', 'partitions.bin', 'app.bin'].entries()) {
    machine.save(name, files[index]?.data ?? '');
  }
  machine.save('.config/fish/completions/readme', '');
  machine.save('.config/wirebench/profiles.json', '{ "lab": { "ports": ["ttyUSB0"], "time": true } }');
  return machine;
}

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LinuxPortBinding } from '@serialport/bindings-cpp';
import { openErrorOf } from '@wirebench/port';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canCall, socatCall } from '../../devices/src/testing/pseudo-terminal.ts';
import { listPorts, newestPorts } from './list-ports.ts';
import { permissionText } from './native-port.ts';
import { NativeSerial } from './native-serial.ts';
import { openSettings } from './native-settings.ts';
import { lockHolder, portHolders } from './port-holders.ts';
import { PluggedTerminal } from './testing/plugged-terminal.ts';

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'node-port-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function pluggedTerminal() {
  const terminal = await PluggedTerminal.plugged();
  closers.push(() => terminal.close());
  const portOf = async () => {
    const [port] = await new NativeSerial({ names: [terminal.path], list: async () => [] }).getPorts();
    if (port === undefined) {
      throw new Error('the port is there');
    }
    return port;
  };
  return { terminal, portOf };
}

const settingsOf = (path: string) => spawnSync('stty', ['-a', '-F', path], { encoding: 'utf8' }).stdout;

describe.runIf(canCall(socatCall, ['stty', '--version']))('settings of a native port', () => {
  it('are those of open, raw and without an echo', async () => {
    const { terminal, portOf } = await pluggedTerminal();
    const port = await portOf();
    await port.open({ baudRate: 57_600, stopBits: 2, flowControl: 'hardware' });
    const settings = settingsOf(terminal.path);
    expect(settings).toContain('speed 57600 baud');
    expect(settings).toMatch(/ cstopb .* crtscts/);
    expect(settings).toMatch(/-isig -icanon -iexten -echo /);
    expect(settings).toMatch(/-ixon -ixoff/);
    await port.close();
  });

  it('take XON and XOFF beyond Web Serial', async () => {
    const { terminal, portOf } = await pluggedTerminal();
    const port = await portOf();
    port.useNative({ flowControl: 'software' });
    await port.open({ baudRate: 9_600 });
    expect(settingsOf(terminal.path)).toMatch(/ ixon ixoff/);
    await port.close();
  });

  it.each([
    ['5 data bits', { dataBits: 5 }, 'linux', { dataBits: 5 }],
    ['6 data bits', { dataBits: 6 }, 'darwin', { dataBits: 6 }],
    ['mark parity on Linux', { parity: 'mark' }, 'linux', { parity: 'odd' }],
    ['space parity on Linux', { parity: 'space' }, 'linux', { parity: 'even' }],
    ['mark parity on Windows', { parity: 'mark' }, 'win32', { parity: 'mark' }],
  ] as const)('give the binding %s', (_what, native, system, binding) => {
    expect(openSettings({ baudRate: 9_600 }, native, system).binding).toMatchObject(binding);
  });

  it('refuse mark parity on systems without it', () => {
    const settings = () => openSettings({ baudRate: 9_600 }, { parity: 'mark' }, 'darwin');
    expect(settings).toThrow('Parity mark is not available on this system.');
  });
});

describe.runIf(canCall(socatCall))('opening a native port', () => {
  it('refuses a port that another program has locked, and leaves its settings', async () => {
    const { terminal, portOf } = await pluggedTerminal();
    const [first, second] = [await portOf(), await portOf()];
    await first.open({ baudRate: 19_200 });
    expect(await lockHolder(terminal.path)).toBe(process.pid);
    const failure = openErrorOf(await second.open({ baudRate: 9_600 }).catch((error: unknown) => error), second);
    expect(failure.code).toBe('busy');
    expect(settingsOf(terminal.path)).toContain('speed 19200 baud');
    await first.close();
    await second.open({ baudRate: 9_600 });
    await second.close();
  });

  it('loses no byte that it has taken when it is closed at once', async () => {
    const { terminal, portOf } = await pluggedTerminal();
    const port = await portOf();
    const sent = Buffer.alloc(2_000, 'wire');
    // The end of the exclusive mode before a close would give the system time.
    vi.stubEnv('PATH', '/nowhere');
    // The system passes the bytes on a moment later: a close that drops them is not caught each time.
    for (let round = 1; round <= 50; round++) {
      await port.open({ baudRate: 9_600 });
      const writer = port.writable?.getWriter();
      await writer?.write(sent);
      writer?.releaseLock();
      await port.close();
      await expect.poll(() => Buffer.concat(terminal.got).length, { interval: 1 }).toBe(round * sent.length);
    }
  });

  it('shares a port that is not exclusive', async () => {
    const { portOf } = await pluggedTerminal();
    const [first, second] = [await portOf(), await portOf()];
    first.useNative({ exclusive: false });
    second.useNative({ exclusive: false });
    await first.open({ baudRate: 9_600 });
    await second.open({ baudRate: 9_600 });
    await second.close();
    await first.close();
  });

  it('reports a device that has gone since it was listed', async () => {
    const { terminal, portOf } = await pluggedTerminal();
    const port = await portOf();
    await terminal.close();
    const failure = openErrorOf(await port.open({ baudRate: 9_600 }).catch((error: unknown) => error), port);
    expect(failure.code).toBe('device-gone');
  });

  it('refuses a file that is no terminal', async () => {
    const serial = new NativeSerial({ names: ['/dev/null'], list: async () => [] });
    const [port] = await serial.getPorts();
    const failure = await port?.open({ baudRate: 9_600 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'NotSupportedError' });
  });

  it('names the group that may open a port', async () => {
    const file = join(temporaryFolder(), 'port');
    writeFileSync(file, '');
    const group = spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim();
    const advice =
      group === 'root'
        ? ''
        : ` Add it to the group ${group} (sudo usermod -aG ${group} $USER), then log out and in again.`;
    chmodSync(file, 0o660);
    expect(await permissionText(file)).toBe(`this account may not open ${file}.${advice}`);
    chmodSync(file, 0o600);
    expect(await permissionText(file)).toBe(`this account may not open ${file}.`);
  });
});

describe.runIf(canCall(socatCall) && process.platform === 'linux')('close of a native port', () => {
  it.each([
    ['leaves raised lines', { dataTerminalReady: true }, []],
    ['leaves lowered lines', { dataTerminalReady: false, requestToSend: false }, []],
    ['ends a reset', { dataTerminalReady: false, requestToSend: true }, [{ dtr: false, rts: false, brk: false }]],
    ['ends a break', { break: true }, [{ dtr: true, rts: true, brk: false }]],
  ] as const)('%s', async (_what, signals, atClose) => {
    const { portOf } = await pluggedTerminal();
    // A pseudo-terminal has no lines.
    const lines = { cts: false, dsr: false, dcd: false, lowLatency: false };
    vi.spyOn(LinuxPortBinding.prototype, 'get').mockResolvedValue(lines);
    const set = vi.spyOn(LinuxPortBinding.prototype, 'set').mockResolvedValue();
    const port = await portOf();
    await port.open({ baudRate: 9_600 });
    await port.setSignals(signals);
    set.mockClear();
    await port.close();
    expect(set.mock.calls.map(([call]) => call)).toEqual(atClose);
  });
});

describe.runIf(canCall(socatCall) && process.platform === 'linux')('holders of ports', () => {
  it('are found by their open files', async () => {
    const { terminal, portOf } = await pluggedTerminal();
    const port = await portOf();
    await port.open({ baudRate: 9_600 });
    const holders = (await portHolders([terminal.path])).get(terminal.path);
    expect(holders?.map(({ process: id }) => id)).toContain(process.pid);
    await port.close();
  });
});

describe('list of ports', () => {
  /** Writes the files of a sysfs with a USB adapter, a port on the board and one that exists on paper. */
  function systemFolders() {
    const root = temporaryFolder();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const link = (path: string, target: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    };
    const usb = 'devices/usb1/1-2';
    write(`${usb}/idVendor`, '10c4\n');
    write(`${usb}/idProduct`, 'ea60\n');
    write(`${usb}/serial`, '0001\n');
    write(`${usb}/manufacturer`, 'Silicon Labs\n');
    write(`${usb}/product`, 'CP2102N USB to UART Bridge Controller\n');
    mkdirSync(join(root, usb, '1-2:1.0', 'ttyUSB10'), { recursive: true });
    for (const name of ['ttyUSB10', 'ttyUSB2']) {
      link(`class/${name}/device`, join(root, usb, '1-2:1.0'));
    }
    mkdirSync(join(root, 'devices/platform/serial8250'), { recursive: true });
    for (const [name, type] of [
      ['ttyS0', '4'],
      ['ttyS1', '0'],
    ] as const) {
      link(`class/${name}/device`, join(root, 'devices/platform/serial8250'));
      write(`class/${name}/type`, `${type}\n`);
    }
    mkdirSync(join(root, 'class/tty1'), { recursive: true });
    link('dev/serial/by-path/pci-usb-0:2:1.0-port0', '../../ttyUSB2');
    link('dev/serial/by-id/usb-Silicon_Labs_0001-if00-port0', '../../ttyUSB2');
    return { ttys: join(root, 'class'), devices: join(root, 'dev') };
  }

  it('has ports with hardware, with USB ids and the names that survive replugging', async () => {
    const folders = systemFolders();
    const ports = await listPorts(folders);
    expect(ports.map(({ path }) => path.slice(folders.devices.length))).toEqual(['/ttyS0', '/ttyUSB2', '/ttyUSB10']);
    expect(ports[1]).toEqual({
      path: `${folders.devices}/ttyUSB2`,
      name: `${folders.devices}/serial/by-path/pci-usb-0:2:1.0-port0`,
      byPath: `${folders.devices}/serial/by-path/pci-usb-0:2:1.0-port0`,
      byId: `${folders.devices}/serial/by-id/usb-Silicon_Labs_0001-if00-port0`,
      vendorId: 0x10c4,
      productId: 0xea60,
      serialNumber: '0001',
      manufacturer: 'Silicon Labs',
      product: 'CP2102N USB to UART Bridge Controller',
    });
    expect(ports[0]).toMatchObject({ vendorId: null, byPath: null, name: `${folders.devices}/ttyS0` });
  });

  it('is empty on a system without serial ports', async () => {
    const root = temporaryFolder();
    expect(await listPorts({ ttys: join(root, 'none'), devices: root })).toEqual([]);
  });

  it('knows the ports of the device that was plugged in last, and that a system does not tell it', async () => {
    const folders = systemFolders();
    const root = dirname(folders.devices);
    const add = (name: string, hole: string, duration: string | null) => {
      const usb = join(root, 'devices/usb1', hole);
      mkdirSync(join(usb, 'power'), { recursive: true });
      writeFileSync(join(usb, 'idVendor'), '0403\n');
      mkdirSync(join(folders.ttys, name), { recursive: true });
      symlinkSync(usb, join(folders.ttys, name, 'device'));
      if (duration !== null) {
        writeFileSync(join(usb, 'power/connected_duration'), `${duration}\n`);
      }
    };
    const newest = async () =>
      (await newestPorts(await listPorts(folders), folders))?.map(({ path }) => path.slice(folders.devices.length));
    expect(await newestPorts([], folders)).toEqual([]);
    // The device of the two ports that are there tells nothing.
    expect(await newest()).toBeUndefined();
    mkdirSync(join(root, 'devices/usb1/1-2/power'));
    writeFileSync(join(root, 'devices/usb1/1-2/power/connected_duration'), '8000\n');
    expect(await newest()).toEqual(['/ttyUSB2', '/ttyUSB10']);
    add('ttyACM0', '1-3', '10000');
    expect(await newest()).toEqual(['/ttyUSB2', '/ttyUSB10']);
    add('ttyACM1', '1-4', '900');
    expect(await newest()).toEqual(['/ttyACM1']);
  });

  it('finds a port by its serial number again, in another hole of the machine', async () => {
    let present = (await listPorts(systemFolders())).slice(1, 2);
    const serial = new NativeSerial({ names: ['0001'], list: async () => present });
    const first = await serial.portNamed('0001');
    expect(first?.portName).toBe('0001');
    present = present.map((port) => ({ ...port, path: `${port.path}7`, byPath: null }));
    await serial.refresh();
    const second = await serial.portNamed('0001');
    expect([first?.connected, second?.portName, second?.listed.path]).toEqual([false, '0001', present[0]?.path]);
    present = [...present, ...present.map((port) => ({ ...port, path: `${port.path}8` }))];
    await serial.refresh();
    expect(await serial.portNamed('0001')).toBeNull();
  });
});

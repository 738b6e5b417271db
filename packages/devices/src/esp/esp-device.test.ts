import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { joined } from '../byte-fields.ts';
import { bytesOf, hexOf } from '../testing/hex.ts';
import { EspDevice } from './esp-device.ts';
import { EspHost, framed, request, sumOf, syncData, words } from './testing/esp-host.ts';

const eightSyncs = new Array(8).fill('010804000707122000000000');

describe('the reset circuit', () => {
  it('starts the loader when IO0 is low at the rise of EN, and the application when it is high', async () => {
    const host = new EspHost({ chip: 'esp32' });
    host.open();
    expect(await host.enterDownload()).toBe(
      'ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))\r\nwaiting for download\r\n',
    );
    expect(host.device.state).toBe('download');
    await host.restart();
    expect(host.device.state).toBe('running');
  });

  it('prints the texts of the recorded chip on an ESP32-C3', async () => {
    const host = new EspHost({ chip: 'esp32c3' });
    host.open();
    expect(await host.enterDownload()).toBe(
      'ESP-ROM:esp32c3-api1-20210207\r\nBuild:Feb  7 2021\r\nrst:0x1 (POWERON),boot:0x2 (UART0_BOOT)\r\nwait uart0 download\r\n',
    );
  });

  it('does nothing on a board without it; the buttons do', async () => {
    const host = new EspHost({ chip: 'esp32', connection: 'uart-no-reset' });
    host.open();
    await host.clock.advance(1_000);
    await host.enterDownload();
    expect(host.device.state).toBe('running');
    expect(await host.sync()).toEqual([]);
    host.device.holdBoot(true);
    host.device.pressReset();
    host.device.holdBoot(false);
    await host.clock.advance(20);
    expect(host.device.state).toBe('download');
    expect(await host.sync()).toEqual(eightSyncs);
  });

  it('gets no answer while the ROM is still starting', async () => {
    const host = new EspHost({ chip: 'esp32' });
    host.open();
    const { wired } = host.terminal;
    wired.setLines({ rts: true });
    wired.setLines({ dtr: true });
    wired.setLines({ rts: false });
    await host.clock.advance(5);
    expect(await host.raw(framed(request(0x08, syncData, 0)))).toEqual([]);
    expect(await host.sync()).toEqual(eightSyncs);
  });

  it('is not needed by a chip that begins in download mode', async () => {
    const host = new EspHost({ chip: 'esp32', powerUp: 'download' });
    host.open();
    await host.clock.advance(20);
    expect(await host.sync()).toEqual(eightSyncs);
  });
});

/** Fires timers up to 0.4 ms early, as the whole milliseconds of Node and browsers can. */
class EarlyClock extends VirtualClock {
  override schedule(delay: number, callback: () => void): () => void {
    return super.schedule(delay > 1 ? delay - 0.4 : delay, callback);
  }
}

describe('writing through the ROM without a pause', () => {
  it.each(['esp32', 'esp32s2', 'esp32s3', 'esp32c6', 'esp32p4', 'esp32h2'] as const)(
    'an %s takes each block that follows its answer at once, in pieces',
    async (chip) => {
      const host = new EspHost({ chip, profile: 'real-flash' }, { pace: 'none' }, new EarlyClock(1_000));
      host.open();
      await host.enterDownload();
      await host.sync();
      await host.ask(0x0d, words(0, 0));
      const later = chip === 'esp32' ? [] : [0];
      await host.ask(0x02, words(0x2000, 8, 0x400, 0x10000, ...later), 0, 500);
      const written: Uint8Array[] = [];
      for (let sequence = 0; sequence < 8; sequence++) {
        const payload = Uint8Array.from({ length: 0x400 }, (_, index) => (index * 7 + sequence) & 0xff);
        const data = Uint8Array.from([...words(payload.length, sequence, 0, 0), ...payload]);
        const bytes = framed(request(0x03, data, sumOf(payload)));
        host.terminal.take();
        host.terminal.wired.send(bytes.subarray(0, 600));
        host.terminal.wired.send(bytes.subarray(600));
        for (let wait = 0; wait < 500 && host.terminal.bytes.length === 0; wait++) {
          await host.clock.advance(0.02);
        }
        expect(hexOf(host.terminal.bytes), `block ${sequence}`).toMatch(/^c0010304/);
        written.push(payload);
      }
      await host.clock.advance(10);
      expect(host.device.flash.read(0x10000, 0x2000)).toEqual(joined(...written));
    },
  );
});

describe('rates', () => {
  it('are measured by the ROM: first bytes at another rate are lost', async () => {
    const host = new EspHost({ chip: 'esp32' }, { pace: 'wire' });
    host.open(460_800);
    await host.enterDownload();
    expect(await host.sync()).toEqual([]);
    expect(await host.sync()).toEqual(eightSyncs);
    expect(host.device.link).toMatchObject({ baudRate: 460_800 });
  });

  it('cost the first SYNC also at 115200 with the option for it', async () => {
    const host = new EspHost({ chip: 'esp32', firstSyncLost: true });
    host.open(115_200);
    await host.enterDownload();
    expect(await host.sync()).toEqual([]);
    expect(await host.sync()).toEqual(eightSyncs);
  });

  it('change after the answer, and garble both ways when only one side has changed', async () => {
    const host = new EspHost({ chip: 'esp32c3' }, { pace: 'wire' });
    host.open(115_200);
    await host.enterDownload();
    await host.sync();
    expect(await host.ask(0x0f, words(921_600, 0))).toEqual(['010f04000707122000000000']);
    expect(await host.sync()).toEqual([]);
    host.open(921_600);
    expect(await host.sync()).toEqual(eightSyncs);
  });

  it('are missed by the ROM of an ESP32 without a crystal fuse', async () => {
    const host = new EspHost({ chip: 'esp32', crystalFuse: 'blank' });
    host.open();
    await host.enterDownload();
    await host.ask(0x0f, words(260_000, 0));
    expect(host.device.link).toMatchObject({ baudRate: 400_000 });
  });

  it('begin again at 115200 with the stub of an ESP32, and stay with that of an ESP32-C3', async () => {
    for (const [chip, address, rate] of [
      ['esp32', 0x40090000, 115_200],
      ['esp32c3', 0x40380000, 460_800],
    ] as const) {
      const host = new EspHost({ chip });
      host.open();
      await host.enterDownload();
      await host.ask(0x0f, words(460_800, 0));
      await host.startStub(address);
      expect(host.device.link).toMatchObject({ baudRate: rate });
    }
  });

  it('are in the register of the UART as in the recorded session', async () => {
    for (const [chip, address, divider, ram, boosted] of [
      ['esp32', 0x3ff40014, '5600c000', 0x40090000, 'ad009000'],
      ['esp32c3', 0x60000014, '5600c000', 0x40380000, '5600c000'],
    ] as const) {
      const host = new EspHost({ chip });
      host.open();
      await host.enterDownload();
      await host.ask(0x0f, words(460_800, 0));
      expect(await host.ask(0x0a, words(address))).toEqual([`010a0400${divider}00000000`]);
      await host.startStub(ram);
      await host.ask(0x0f, words(460_800, 115_200));
      expect(await host.ask(0x0a, words(address))).toEqual([`010a0200${boosted}0000`]);
    }
  });
});

describe('memory and fuses', () => {
  it('match the recorded session on an ESP32', async () => {
    const host = new EspHost({ chip: 'esp32', mac: '24:0A:C4:00:01:10' });
    host.open();
    await host.enterDownload();
    expect(await host.ask(0x0a, words(0x3ff5a004))).toEqual(['010a0400100100c400000000']);
    expect(await host.ask(0x0a, words(0x3ff5a008))).toEqual(['010a04000a24b90000000000']);
    expect(await host.ask(0x09, words(0x3ffb0000, 0xdeadbeef, 0xffffffff, 0))).toEqual(['010904000a24b90000000000']);
    expect(await host.ask(0x0a, words(0x3ffb0000))).toEqual(['010a0400efbeadde00000000']);
  });

  it('match the recorded session on an ESP32-C3', async () => {
    const host = new EspHost({ chip: 'esp32c3', mac: 'C4:0A:24:FE:10:01' });
    host.open();
    await host.enterDownload();
    const block1 = ['0110fe24', '0ac40000', '00000000', '00000c00'];
    for (const [index, word] of block1.entries()) {
      expect(await host.ask(0x0a, words(0x60008844 + index * 4))).toEqual([`010a0400${word}00000000`]);
    }
  });

  it.each([0x00000000, 0x20000000, 0x80000000, 0xfffffffc])('crash the ROM when read at %i', async (address) => {
    const host = new EspHost({ chip: 'esp32' });
    host.open();
    await host.enterDownload();
    expect(await host.ask(0x0a, words(address))).toEqual([]);
    expect(host.device.state).toBe('crashed');
    expect(await host.sync()).toEqual([]);
    await host.enterDownload();
    expect(await host.sync()).toEqual(eightSyncs);
  });

  it('give the id of the flash by the controller, once the pins are attached', async () => {
    const host = new EspHost({ chip: 'esp32c3', flash: { size: 0x1000000, kind: 0x40ef } });
    host.open();
    await host.enterDownload();
    const readId = async () => {
      await host.ask(0x09, words(0x60002028, 23, 0xffffffff, 0));
      await host.ask(0x09, words(0x60002018, 0x90000000, 0xffffffff, 0));
      await host.ask(0x09, words(0x60002020, 0x7000009f, 0xffffffff, 0));
      await host.ask(0x09, words(0x60002000, 1 << 18, 0xffffffff, 0));
      return host.ask(0x0a, words(0x60002058));
    };
    expect(await readId()).toEqual(['010a0400ffffff0000000000']);
    await host.ask(0x0d, words(0, 0));
    expect(await readId()).toEqual(['010a0400ef40180000000000']);
  });
});

describe('the ROM alone', () => {
  it('cannot write before SPI_ATTACH', async () => {
    const host = new EspHost({ chip: 'esp32' });
    host.open();
    await host.enterDownload();
    const [answer = ''] = await host.ask(0x02, words(0x1000, 1, 0x400, 0));
    expect(answer.slice(16, 20)).toBe('0106');
  });

  it('starts the flash at FLASH_END with any flag', async () => {
    for (const flag of [0, 1]) {
      const host = new EspHost({ chip: 'esp32' });
      host.open();
      await host.enterDownload();
      await host.ask(0x0d, words(0, 0));
      await host.ask(0x04, words(flag));
      await host.clock.advance(1_000);
      expect(host.device.state).toBe('running');
    }
  });

  it('has two status bytes on an ESP8266 and erases twice the requested size', async () => {
    const host = new EspHost({ chip: 'esp8266', flash: { content: [{ offset: 0, data: new Uint8Array(0x20000) }] } });
    host.open();
    await host.enterDownload();
    expect(await host.sync()).toEqual(new Array(8).fill('01080200070712200000'));
    expect(await host.ask(0x02, words(0x4000, 16, 0x400, 0))).toEqual(['01020200070712200000']);
    expect(host.device.flash.erasedBytes).toBe(0x8000);
    expect(await host.ask(0x13, words(0, 0, 0, 0))).toEqual(['01020200070712200105']);
  });

  it('knows eight commands in Secure Download Mode', async () => {
    const host = new EspHost({ chip: 'esp32s3', security: { secureDownload: true } });
    host.open();
    await host.enterDownload();
    expect(await host.sync()).toEqual(eightSyncs);
    const [info = ''] = await host.ask(0x14);
    expect(info.slice(16, 24)).toBe('04000000');
    const [read = ''] = await host.ask(0x0a, words(0x40001000));
    expect(read.slice(-8, -4)).toBe('0105');
    const [upload = ''] = await host.ask(0x05, words(4, 1, 4, 0x40378000));
    expect(upload.slice(-8, -4)).toBe('0105');
    await host.ask(0x0d, words(0, 0));
    await host.ask(0x02, words(0x400, 1, 0x400, 0, 0));
    expect((await host.sendBlock(0x03, 0, new Uint8Array(0x400)))[0]?.slice(16, 18)).toBe('00');
    expect(host.device.flash.read(0x3ff, 1)[0]).toBe(0);
  });

  it('encrypts a block on request, so that the chip starts it', async () => {
    const host = new EspHost({
      chip: 'esp32c3',
      security: { flashEncryption: 'development' },
      flash: { content: 'empty' },
    });
    host.open();
    await host.enterDownload();
    await host.ask(0x0d, words(0, 0));
    await host.ask(0x02, words(0x10, 1, 0x10, 0, 1));
    const header = bytesOf('44332211000000000000000000000000');
    await host.sendBlock(0x03, 0, header);
    expect(host.device.flash.read(0, 16)).not.toEqual(header);
    expect(await host.restart(100)).toContain('invalid header: 0x11223344');
  });
});

describe('a chip', () => {
  it('keeps its flash without power, and nothing else', async () => {
    const host = new EspHost({ chip: 'esp32c3', flash: { content: 'empty' } });
    host.open();
    await host.enterDownload();
    await host.startStub(0x40380000);
    await host.ask(0x02, words(4, 1, 4, 0x100));
    await host.sendBlock(0x03, 0, bytesOf('01020304'));
    host.terminal.wired.detach();
    expect(host.device.state).toBe('off');
    expect(hexOf(host.device.flash.read(0x100, 4))).toBe('01020304');
  });

  it.each([
    [{ chip: 'esp32', connection: 'usb-jtag' }, 'esp32 has no USB-JTAG.'],
    [{ chip: 'esp32c3', crystal: 26 }, 'esp32c3 does not run on a crystal of 26 MHz.'],
    [{ chip: 'esp32', flash: { size: 3_000_000 } }, 'A flash of 3000000 bytes does not exist.'],
    [{ chip: 'esp8266', security: { secureBoot: true } }, 'esp8266 has no security fuses.'],
    [{ chip: 'esp32', mac: '1:2:3' }, '1:2:3 is not a MAC address.'],
  ] as const)('cannot be made with impossible options: %j', (options, text) => {
    expect(() => new EspDevice(options)).toThrow(text);
  });

  it('has a MAC of its own by seed', () => {
    const macs = [1, 2].map((seed) => new EspDevice({ chip: 'esp32', seed }).mac);
    expect(macs[0]).toMatch(/^24:0A:C4(:[0-9A-F]{2}){3}$/);
    expect(macs[0]).not.toBe(macs[1]);
    expect(new EspDevice({ chip: 'esp32', seed: 1 }).mac).toBe(macs[0]);
  });
});

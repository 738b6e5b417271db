import { describe, expect, it } from 'vitest';
import { uartLink } from '../wire/link.ts';
import { avrBoardNames } from './boards.ts';
import { avrFirmware } from './firmware.ts';
import type { AvrDeviceOptions } from './options.ts';
import { AvrHost } from './testing/avr-host.ts';

/** Opens the port at a rate without a reset button, as a terminal does. */
function opened(options: AvrDeviceOptions, baudRate = 9_600) {
  const host = new AvrHost(options);
  host.terminal.open(uartLink(baudRate));
  return host;
}

describe('an Arduino board behind an adapter', () => {
  it('is reset when DTR is raised, not while it stays', async () => {
    const host = opened({ board: 'arduino-uno' });
    await host.clock.advance(100);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(1_500);
    expect(host.device.state).toBe('running');
    host.terminal.wired.setLines({ rts: false });
    expect(host.device.state).toBe('running');
    host.terminal.wired.setLines({ dtr: false });
    expect(host.device.state).toBe('running');
    host.terminal.wired.setLines({ dtr: true });
    expect(host.device.state).toBe('booting');
  });

  it('is reset by its button alone where there is no capacitor', async () => {
    const host = opened({ board: 'arduino-uno', autoReset: false });
    await host.clock.advance(100);
    expect(host.device.state).toBe('running');
    host.device.pressReset();
    await host.clock.advance(100);
    expect(host.device.state).toBe('bootloader');
  });

  it('says lines of its sketch at the rate of the sketch', async () => {
    const content = [{ address: 0, data: avrFirmware() }];
    const host = opened({ board: 'arduino-uno', content, autoReset: false });
    await host.clock.advance(2_500);
    expect(host.terminal.text).toBe('Blink: LED on\r\nBlink: LED off\r\nBlink: LED on\r\n');
  });

  it('receives garbage at a wrong rate', async () => {
    const host = opened({ board: 'arduino-nano', autoReset: false }, 115_200);
    await host.clock.advance(100);
    host.device.pressReset();
    await host.clock.advance(300);
    expect(await host.v1([0x30], 20)).not.toContain('1410');
    host.terminal.open(uartLink(57_600));
    host.device.pressReset();
    await host.clock.advance(300);
    expect(await host.v1([0x30], 20)).toBe('1410');
  });

  it('floods the port until a reset', async () => {
    const host = opened({ board: 'arduino-uno', floods: true, autoReset: false }, 9_600);
    await host.clock.advance(1_100);
    expect(host.terminal.take().length).toBeGreaterThan(900);
    host.device.pressReset();
    await host.clock.advance(10);
    host.terminal.take();
    await host.clock.advance(500);
    expect(host.terminal.bytes.length).toBe(0);
  });

  it('stays silent without a sketch, and answers after each reset', async () => {
    const host = opened({ board: 'arduino-uno', content: 'empty' }, 115_200);
    await host.clock.advance(3_000);
    expect(host.device.state).toBe('crashed');
    host.device.pressReset();
    await host.clock.advance(450);
    expect(await host.v1([0x30])).toBe('1410');
  });

  it.each(avrBoardNames)('%s starts its sketch at every reset without a bootloader', async (board) => {
    const host = new AvrHost({ board, hasBootloader: false });
    host.terminal.wired.open(null);
    host.device.pressReset();
    await host.clock.advance(70);
    expect(host.device.state).toBe('running');
    const empty = new AvrHost({ board, hasBootloader: false, content: 'empty' });
    await empty.clock.advance(70);
    expect(empty.device.state).toBe('crashed');
  });

  it('tells the signature of another chip', async () => {
    const host = await new AvrHost({ board: 'arduino-uno', signature: [0x1e, 0x95, 0x16] }).connect();
    expect(await host.v1([0x75])).toBe('141e951610');
  });

  it('is reset at each opening for a host without control lines', async () => {
    const host = new AvrHost({ board: 'arduino-uno', resetAtOpen: true });
    for (let opening = 0; opening < 2; opening++) {
      await host.clock.advance(2_000);
      expect(host.device.state).toBe('running');
      host.terminal.wired.open(null);
      await host.clock.advance(450);
      expect(await host.v1([0x30])).toBe('1410');
      host.terminal.wired.close();
    }
  });

  it('starts its sketch at once when it gets power', async () => {
    const host = new AvrHost({ board: 'arduino-uno' });
    await host.clock.advance(70);
    expect(host.device.state).toBe('running');
  });

  it('waits for a host with the start that is asked for', async () => {
    const host = new AvrHost({ board: 'arduino-nano', powerUp: 'first-open' });
    await host.clock.advance(1_000);
    expect(host.device.state).toBe('off');
    host.terminal.wired.open(null);
    await host.clock.advance(70);
    expect(host.device.state).toBe('bootloader');
  });
});

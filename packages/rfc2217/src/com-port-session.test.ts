import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { agreed, baudRate, clientOf, comPort, control, openedClient } from './testing/com-port-client.ts';

const opened = (port = new FakeSerialPort()) => openedClient(port);

describe('negotiation', () => {
  it('offers binary transmission, and agrees once to the requests of pySerial', async () => {
    const { send, got } = clientOf(new FakeSerialPort());
    // DO BINARY, DO SGA, DO COM-PORT-OPTION, WILL BINARY, WILL SGA, WILL ECHO.
    expect(got.splice(0)).toEqual([255, 253, 0, 255, 253, 3, 255, 253, 44, 255, 251, 0, 255, 251, 3, 255, 251, 1]);
    // DO ECHO, WILL SGA, DO SGA, DO COM-PORT-OPTION, WILL COM-PORT-OPTION, WILL BINARY, DO BINARY.
    const asked = [255, 253, 1, 255, 251, 3, 255, 253, 3, 255, 253, 44, 255, 251, 44, 255, 251, 0, 255, 253, 0];
    await send(...asked, ...asked, ...asked);
    // All requests but one are answers to offers.
    expect(got).toEqual([255, 251, 44]);
  });

  it('refuses unknown options, and disables options that the client does not want', async () => {
    const { send, got } = clientOf(new FakeSerialPort());
    got.length = 0;
    // DO NAWS, WILL TERMINAL-TYPE, WILL and WONT BINARY, DONT LINEMODE.
    await send(255, 253, 31, 255, 251, 24, 255, 251, 0, 255, 252, 0, 255, 254, 34);
    expect(got).toEqual([255, 252, 31, 255, 254, 24, 255, 254, 0]);
  });

  it('takes an option as agreed when a client uses it, like pySerial before an offer', async () => {
    const port = new FakeSerialPort();
    const { send, answers } = clientOf(port);
    await send(...baudRate(9_600), 13, 0, 10);
    expect(answers()).toEqual([
      [101, 0, 0, 0x25, 0x80],
      [107, 0x30],
    ]);
    // The bytes arrive unchanged: a Telnet line ending would have lost its zero.
    expect(port.written).toEqual([13, 0, 10]);
  });

  it('is silent about an option that the client has refused', async () => {
    const { send, answers } = clientOf(new FakeSerialPort());
    // WONT COM-PORT-OPTION.
    await send(255, 252, 44, ...baudRate(9_600));
    expect(answers()).toEqual([[101, 0, 0, 0x25, 0x80]]);
  });

  it('answers the signature request with its name, and Are You There with Yes', async () => {
    const { send, got, answers } = clientOf(new FakeSerialPort());
    await send(...comPort(0), 255, 246);
    expect(String.fromCharCode(...(answers()[0]?.slice(1) ?? []))).toBe('Wirebench');
    expect(String.fromCharCode(...got)).toContain('[Yes]');
  });
});

describe('settings', () => {
  it('open the port once when they come together, and are answered one by one', async () => {
    const port = new FakeSerialPort();
    const { send, answers } = clientOf(port);
    await send(...agreed, ...baudRate(9_600), ...comPort(2, 7), ...comPort(3, 3), ...comPort(4, 2));
    expect(port.openedWith).toMatchObject([
      { baudRate: 9_600, dataBits: 7, parity: 'even', stopBits: 2, flowControl: 'none' },
    ]);
    // Modem state: CTS and DSR are on, no line has changed.
    expect(answers()).toEqual([
      [101, 0, 0, 0x25, 0x80],
      [102, 7],
      [103, 3],
      [104, 2],
      [107, 0x30],
    ]);
  });

  it('do not hold for data that came before them', async () => {
    const port = new FakeSerialPort();
    const sent: (readonly [rate: number | undefined, bytes: readonly number[]])[] = [];
    port.onWrite = (bytes) => sent.push([port.openedWith.at(-1)?.baudRate, [...bytes]]);
    const { send, run, clock } = clientOf(port);
    await send(...agreed, 1, 2, ...baudRate(9_600), 3);
    await run(clock.sleep(200));
    expect(sent).toEqual([
      [115_200, [1, 2]],
      [9_600, [3]],
    ]);
  });

  it('open nothing again when they are only queried', async () => {
    const { port, send, answers } = await opened();
    await send(...baudRate(0), ...comPort(2, 0), ...comPort(3, 0), ...comPort(4, 0), ...control(0), ...control(13));
    expect(answers()).toEqual([
      [101, 0, 1, 0xc2, 0],
      [102, 8],
      [103, 1],
      [104, 1],
      [105, 1],
      [105, 14],
    ]);
    expect(port.openedWith).toHaveLength(1);
  });

  it('are answered with the current ones if Web Serial does not have them', async () => {
    const { port, send, answers } = await opened();
    // 5 data bits, mark parity, 1.5 stop bits, XON/XOFF, XON/XOFF inbound, DCD flow control.
    await send(...comPort(2, 5), ...comPort(3, 4), ...comPort(4, 3), ...control(2), ...control(15), ...control(17));
    expect(answers()).toEqual([
      [102, 8],
      [103, 1],
      [104, 1],
      [105, 1],
      [105, 14],
      [105, 1],
    ]);
    expect(port.openedWith).toHaveLength(1);
  });

  it('apply hardware flow control in both directions', async () => {
    const { port, run, send, answers, clock } = await opened();
    await send(...control(3), ...control(13));
    await run(clock.sleep(200));
    expect(port.openedWith.at(-1)).toMatchObject({ flowControl: 'hardware' });
    expect(answers()).toEqual([
      [105, 3],
      [105, 16],
    ]);
  });

  it('keep their old values when the port refuses new ones', async () => {
    const { port, send, run, answers, clock, ends } = await opened();
    port.refusedRates.add(123_456);
    await send(...baudRate(123_456));
    await run(clock.sleep(200));
    expect(answers()).toEqual([[101, 0, 1, 0xc2, 0]]);
    expect(port.openedWith.map(({ baudRate }) => baudRate)).toEqual([115_200, 123_456, 115_200]);
    expect(ends).toEqual([]);
  });

  it('wait until earlier data has left the wire at its own rate, and lose none of it', async () => {
    const { port, send, run, clock } = await opened();
    const before = Array.from({ length: 5_000 }, (_, at) => at % 251);
    // The bytes take 434 ms at 115,200 baud.
    await send(...before, ...baudRate(921_600), 1, 2, 3);
    await clock.advance(400);
    expect(port.openedWith).toHaveLength(1);
    await run(clock.sleep(1_000));
    expect(port.openedWith.map(({ baudRate }) => baudRate)).toEqual([115_200, 921_600]);
    expect(port.written).toEqual([...before, 1, 2, 3]);
  });

  it('wait for a port that does not take earlier data', async () => {
    const { port, send, run, clock } = await opened();
    port.hold('write');
    await send(...new Uint8Array(200).fill(7), ...baudRate(921_600), 8);
    await clock.advance(5_000);
    expect(port.openedWith).toHaveLength(1);
    port.release('write');
    await run(clock.sleep(1_000));
    expect(port.openedWith).toHaveLength(2);
    expect(port.written).toEqual([...new Uint8Array(200).fill(7), 8]);
  });

  it('keep the control lines as the client left them, RTS first: RTS alone is a reset', async () => {
    const { port, send, run, clock } = await opened();
    await send(...control(9), ...control(12));
    await clock.advance(400);
    await send(...baudRate(460_800));
    await run(clock.sleep(200));
    expect(port.calls.slice(-3)).toEqual(['open 460800 none 1048576', 'lines DTR -', 'lines - -']);
  });

  it('are answered in time for a client that waits three seconds, although the port takes longer', async () => {
    const { port, send, answers, clock } = await opened();
    port.hold('open');
    await send(...baudRate(460_800));
    await clock.advance(1_900);
    expect(answers()).toEqual([]);
    await clock.advance(200);
    expect(answers()).toEqual([[101, 0, 7, 8, 0]]);
    port.release('open');
    await clock.advance(100);
    expect(answers()).toEqual([]);
  });
});

describe('notifications', () => {
  it('report modem lines when one changes, within the mask', async () => {
    const { port, send, clock, answers } = await opened();
    let inputs = { dataCarrierDetect: false, clearToSend: true, ringIndicator: false, dataSetReady: true };
    port.getSignals = async () => inputs;
    await clock.advance(2_000);
    expect(answers()).toEqual([]);
    inputs = { ...inputs, clearToSend: false, dataCarrierDetect: true };
    await clock.advance(500);
    expect(answers()).toEqual([[107, 0x80 | 0x20 | 0x08 | 0x01]]);
    await send(...comPort(11, 0x10));
    inputs = { ...inputs, ringIndicator: true };
    await clock.advance(500);
    inputs = { ...inputs, clearToSend: true };
    await clock.advance(500);
    expect(answers()).toEqual([
      [111, 0x10],
      [107, 0x10],
    ]);
    // pySerial polls the modem state if `poll_modem` is set.
    await send(...comPort(7));
    expect(answers()).toEqual([[107, 0x10]]);
  });

  it('are not sent to a client that does not know the option', async () => {
    const { send, got, clock } = clientOf(new FakeSerialPort());
    got.length = 0;
    await send(255, 251, 3, 65);
    await clock.advance(2_000);
    expect(got).toEqual([]);
  });

  it('report line errors at their place in the data, if the client wants them', async () => {
    const { port, send, got, clock, answers } = await opened();
    await port.fail('FramingError');
    await clock.settle();
    expect(answers()).toEqual([]);
    await send(...comPort(10, 0x1e));
    got.length = 0;
    port.receive(Uint8Array.of(65));
    await clock.settle();
    await port.fail('BreakError');
    await clock.settle();
    port.receive(Uint8Array.of(66));
    await clock.settle();
    expect(got).toEqual([65, ...comPort(106, 0x10), 66]);
    for (const [name, bit] of [
      ['ParityError', 4],
      ['FramingError', 8],
      ['BufferOverrunError', 2],
    ] as const) {
      await port.fail(name);
      await clock.settle();
      expect(got.slice(-comPort(106, bit).length)).toEqual(comPort(106, bit));
    }
  });
});

describe('flow control', () => {
  it('keeps data in the port while the client has suspended it, and continues where it was', async () => {
    const { port, send, got, clock } = await opened();
    await send(...comPort(8));
    port.receive('kept');
    await clock.settle();
    const before = got.length;
    port.receive(' for later');
    await send(...control(9));
    expect(got.length).toBe(before);
    await send(...comPort(9));
    expect(String.fromCharCode(...got.slice(before))).toMatch(/for later$/);
    expect(got.slice(before, before + 7)).toEqual(comPort(105, 9));
  });

  it('does not keep new settings or a close from a port whose client has suspended data', async () => {
    const { port, send, ends, client } = await opened();
    await send(...comPort(8));
    port.receive('kept');
    await send(...baudRate(9_600));
    await client.clock.advance(100);
    expect(port.openedWith.at(-1)).toMatchObject({ baudRate: 9_600 });
    expect(ends).toEqual([]);
    port.receive('kept, too');
    await client.run(client.session.close());
    expect(port.isOpen).toBe(false);
  });

  it('ends a session whose client floods it with requests and takes no answers', async () => {
    const { send, ends, clock } = await opened();
    await send(...comPort(8));
    for (let count = 0; count < 100; count++) {
      await send(...Array.from({ length: 200 }, () => control(7)).flat());
    }
    await clock.settle();
    expect(ends).toEqual(['flooded']);
  });

  it('holds back data of the client while the port does not take it', async () => {
    const port = new FakeSerialPort();
    const { send, ready, clock } = await opened(port);
    port.hold('write');
    await send(...new Uint8Array(40_000));
    expect(ready).toEqual([]);
    await send(...new Uint8Array(40_000));
    await send(...new Uint8Array(40_000));
    expect(ready).toEqual([false]);
    port.release('write');
    await clock.settle();
    expect(ready).toEqual([false, true]);
    expect(port.written).toHaveLength(120_000);
  });

  it('keeps purged data from the port', async () => {
    const port = new FakeSerialPort();
    const { send, answers, clock } = await opened(port);
    port.hold('write');
    await send(1);
    await send(2);
    await send(...comPort(12, 2), 3);
    port.release('write');
    await clock.settle();
    expect(port.written).toEqual([1, 3]);
    await send(...comPort(12, 1), ...comPort(12, 3), ...comPort(12, 0));
    expect(answers()).toEqual([
      [112, 2],
      [112, 1],
      [112, 3],
    ]);
  });
});

describe('the end of a session', () => {
  it('comes when the port is gone', async () => {
    const { port, clock, ends } = await opened();
    port.unplug();
    await clock.advance(1_000);
    expect(ends).toEqual(['port-gone']);
  });

  it.each([
    ['NetworkError', 'port-busy'],
    ['SecurityError', 'not-allowed'],
  ] as const)('comes when the port does not open: %s', async (name, end) => {
    const port = new FakeSerialPort();
    port.openError = new DOMException('no', name);
    const { send, ends, clock } = clientOf(port);
    await send(65);
    await clock.advance(1_000);
    expect(ends).toEqual([end]);
  });

  it('waits for bytes that the client has just sent, for a limited time', async () => {
    const port = new FakeSerialPort();
    const { send, session, run, clock } = await opened(port);
    port.hold('write');
    await send(1, 2, 3);
    await send(4, 5, 6);
    const closing = session.close();
    await clock.advance(10_000);
    port.release('write');
    await run(closing);
    expect(port.written).toEqual([1, 2, 3, 4, 5, 6]);

    const other = await opened(new FakeSerialPort());
    other.port.hold('write');
    await other.send(1);
    const before = other.clock.now();
    await other.run(other.session.close());
    expect(other.clock.now() - before).toBeLessThan(60_000);
  });

  it('leaves no timer behind', async () => {
    const clock = new VirtualClock(1_000);
    const client = clientOf(new FakeSerialPort(), clock);
    await client.send(...agreed, ...baudRate(9_600), ...control(9), 65, ...control(5));
    await client.run(client.session.close());
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
  });
});

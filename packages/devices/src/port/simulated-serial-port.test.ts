import { describe, expect, it } from 'vitest';
import { errorOf, pluggedIn, present, readOn } from '../testing/port-fixture.ts';
import { uartLink } from '../wire/link.ts';

describe('simulated serial port', () => {
  it('says the same as Chromium 156 when it is used wrongly', async () => {
    const { port, bridge } = pluggedIn();
    const opened = (options: object) => errorOf(port.open(options as SerialOptions));
    expect(await errorOf(port.close())).toBe(
      "InvalidStateError: Failed to execute 'close' on 'SerialPort': The port is already closed.",
    );
    expect(await errorOf(port.setSignals({}))).toBe(
      "InvalidStateError: Failed to execute 'setSignals' on 'SerialPort': The port is closed.",
    );
    expect(await opened({})).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Failed to read the 'baudRate' property from 'SerialOptions': Required member is undefined.",
    );
    expect(await opened({ baudRate: 'fast' })).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Failed to read the 'baudRate' property from 'SerialOptions': Value is not of type 'unsigned long'.",
    );
    expect(await opened({ baudRate: 2 ** 32 })).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Failed to read the 'baudRate' property from 'SerialOptions': Value is outside the 'unsigned long' value range.",
    );
    expect(await opened({ baudRate: 0 })).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Requested baud rate must be greater than zero.",
    );
    expect(await opened({ baudRate: 9600, dataBits: 6 })).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Requested number of data bits must be 7 or 8.",
    );
    expect(await opened({ baudRate: 9600, bufferSize: 16_777_217 })).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Requested buffer size (16777217 bytes) is greater than the maximum allowed (16777216 bytes).",
    );
    expect(await opened({ baudRate: 9600, parity: 'mark' })).toBe(
      "TypeError: Failed to execute 'open' on 'SerialPort': Failed to read the 'parity' property from 'SerialOptions': The provided value 'mark' is not a valid enum value of type ParityType.",
    );
    await port.open({ baudRate: 9600 });
    expect(await opened({ baudRate: 0 })).toBe(
      "InvalidStateError: Failed to execute 'open' on 'SerialPort': The port is already open.",
    );
    expect(await errorOf(port.setSignals({}))).toBe(
      "TypeError: Failed to execute 'setSignals' on 'SerialPort': Signals dictionary must contain at least one member.",
    );
    const reader = port.readable?.getReader();
    expect(await errorOf(port.close())).toBe(
      "TypeError: Failed to execute 'close' on 'SerialPort': Cannot cancel a locked stream",
    );
    reader?.releaseLock();
    const writer = port.writable?.getWriter();
    expect(await errorOf(port.close())).toBe(
      "TypeError: Failed to execute 'close' on 'SerialPort': Cannot abort a locked stream",
    );
    writer?.releaseLock();
    bridge.unplug();
    expect(await errorOf(port.getSignals())).toBe(
      "NetworkError: Failed to execute 'getSignals' on 'SerialPort': Failed to get control signals.",
    );
    expect(await errorOf(port.close())).toBe('no error');
    expect(await errorOf(port.open({ baudRate: 9600 }))).toBe(
      "NetworkError: Failed to execute 'open' on 'SerialPort': Failed to open serial port.",
    );
  });

  it('refuses a second open or close while the first is on its way', async () => {
    const { port } = pluggedIn();
    const opens = [port.open({ baudRate: 9600 }), errorOf(port.open({ baudRate: 9600 }))];
    expect(await Promise.all(opens)).toEqual([
      undefined,
      "InvalidStateError: Failed to execute 'open' on 'SerialPort': A call to open() is already in progress.",
    ]);
    expect(port.readable).not.toBeNull();
    const closes = [port.close(), errorOf(port.close())];
    expect(await Promise.all(closes)).toEqual([
      undefined,
      "InvalidStateError: Failed to execute 'close' on 'SerialPort': A call to close() is already in progress.",
    ]);
  });

  it('raises both lines at once at open, changes DTR before RTS, and lowers both at close', async () => {
    const { port, device } = pluggedIn();
    const seen = () => device.lines.splice(0).map(({ dtr, rts }) => `${Number(dtr)}${Number(rts)}`);
    await port.open({ baudRate: 9600 });
    expect(seen()).toEqual(['11']);
    await port.setSignals({ dataTerminalReady: false, requestToSend: true });
    expect(seen()).toEqual(['01']);
    await port.setSignals({ dataTerminalReady: true, requestToSend: false });
    expect(seen()).toEqual(['11', '10']);
    await port.setSignals({ requestToSend: true, dataTerminalReady: false });
    expect(seen()).toEqual(['00', '01']);
    await port.setSignals({ dataTerminalReady: true });
    await port.setSignals({ dataTerminalReady: false, requestToSend: false });
    expect(seen()).toEqual(['11', '01', '00']);
    await port.setSignals({ dataTerminalReady: true, requestToSend: true });
    expect(seen()).toEqual(['10', '11']);
    await port.close();
    expect(seen()).toEqual(['00']);
  });

  it('shows the device its break', async () => {
    const { port, device } = pluggedIn();
    await port.open({ baudRate: 9600 });
    await port.setSignals({ break: true });
    await port.setSignals({ break: false });
    expect(device.lines.map((lines) => lines.break)).toEqual([false, true, false]);
  });

  it('gives a read all that waits, up to the size of its buffer', async () => {
    const { clock, port, device } = pluggedIn();
    await port.open({ baudRate: 115_200, bufferSize: 100 });
    device.line?.write(new Uint8Array(250));
    await clock.advance(100);
    const reading = readOn(port);
    await clock.advance(100);
    expect(reading.chunks.map((chunk) => chunk.length)).toEqual([100, 100, 50]);
  });

  it('fills a view that a reader brings along', async () => {
    const { clock, port, device } = pluggedIn();
    await port.open({ baudRate: 115_200 });
    device.sends(1, 2, 3, 4, 5);
    await clock.advance(10);
    const reader = present(port.readable).getReader({ mode: 'byob' });
    expect((await reader.read(new Uint8Array(3))).value).toEqual(Uint8Array.of(1, 2, 3));
    expect((await reader.read(new Uint8Array(3))).value).toEqual(Uint8Array.of(4, 5));
  });

  it('loses bytes that do not fit, and reports it after those that did', async () => {
    const { clock, port, device } = pluggedIn({ overrun: 'lose' });
    await port.open({ baudRate: 115_200, bufferSize: 4 });
    device.sends(1, 2, 3, 4, 5, 6);
    await clock.advance(10);
    const reading = readOn(port);
    await clock.settle();
    device.sends(7, 8);
    await clock.advance(10);
    expect(reading.bytes()).toEqual([1, 2, 3, 4, 7, 8]);
    expect(reading.errors).toEqual(['BufferOverrunError']);
  });

  it('loses nothing under hardware flow control, and sends only while the device is clear to receive', async () => {
    const { clock, port, device } = pluggedIn({ overrun: 'lose' });
    await port.open({ baudRate: 115_200, bufferSize: 4, flowControl: 'hardware' });
    device.sends(1, 2, 3, 4, 5, 6);
    await clock.advance(10);
    const reading = readOn(port);
    const writer = present(port.writable).getWriter();
    await writer.write(Uint8Array.of(9));
    await clock.advance(10);
    expect(reading.bytes()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(device.got).toEqual([]);
    device.line?.setInputs({ clearToSend: true });
    await clock.advance(10);
    expect(device.got).toEqual([9]);
    expect(await port.getSignals()).toEqual({
      clearToSend: true,
      dataCarrierDetect: false,
      dataSetReady: false,
      ringIndicator: false,
    });
  });

  it('takes the time of the wire to write, and waits with a write that does not fit', async () => {
    const { clock, port, device } = pluggedIn();
    await port.open({ baudRate: 115_200, bufferSize: 100 });
    const writer = present(port.writable).getWriter();
    const done: string[] = [];
    void writer.write(new Uint8Array(100)).then(() => done.push('first'));
    void writer.write(new Uint8Array(200)).then(() => done.push('second'));
    await clock.settle();
    expect(done).toEqual(['first']);
    await clock.advance(5);
    expect(done).toEqual(['first']);
    await clock.advance(15);
    expect(done).toEqual(['first', 'second']);
    expect(device.got.length).toBeLessThan(300);
    void writer.close().then(() => done.push('closed'));
    await clock.advance(5);
    expect(done).toEqual(['first', 'second']);
    await clock.advance(2);
    expect(done).toEqual(['first', 'second', 'closed']);
    expect(device.got.length).toBe(300);
  });

  it('drops unsent bytes when its writer aborts, and continues with a new stream', async () => {
    const { clock, port, device } = pluggedIn({ link: uartLink(1_000) });
    await port.open({ baudRate: 1_000, bufferSize: 100 });
    const writer = present(port.writable).getWriter();
    const write = errorOf(writer.write(new Uint8Array(500)));
    await clock.advance(100);
    await writer.abort(new Error('enough'));
    expect(await write).toBe('Error: enough');
    await clock.advance(10_000);
    expect(device.got.length).toBeLessThanOrEqual(10);
    device.got.length = 0;
    await present(port.writable).getWriter().write(Uint8Array.of(1, 2));
    await clock.advance(20);
    expect(device.got).toEqual([1, 2]);
  });

  it('closes at once while a write waits, and drops the unsent bytes', async () => {
    const { clock, port, device } = pluggedIn({ link: uartLink(1_000) });
    await port.open({ baudRate: 1_000, bufferSize: 100 });
    const writer = present(port.writable).getWriter();
    const write = errorOf(writer.write(new Uint8Array(500)));
    writer.releaseLock();
    await clock.advance(100);
    await port.close();
    expect(await write).toMatch(/^InvalidStateError/);
    await clock.advance(10_000);
    expect(device.got.length).toBeLessThanOrEqual(10);
  });

  it('loses the tail of a closed writer when it is configured not to drain', async () => {
    const { clock, port, device } = pluggedIn({ faults: { skipDrain: true } });
    await port.open({ baudRate: 1_000, bufferSize: 100 });
    const writer = present(port.writable).getWriter();
    await writer.write(new Uint8Array(50));
    await writer.close();
    await port.close();
    await clock.advance(10_000);
    expect(device.got).toEqual([]);
  });

  it('fails a chunk that is no bytes', async () => {
    const { port } = pluggedIn();
    await port.open({ baudRate: 9600 });
    const writer = present(port.writable).getWriter() as WritableStreamDefaultWriter<unknown>;
    expect(await errorOf(writer.write('text'))).toBe(
      "TypeError: The provided value is not of type '(ArrayBuffer or ArrayBufferView)'.",
    );
  });

  it('accepts the first write after an unplug if no write waited, like Chromium', async () => {
    const { port, bridge } = pluggedIn();
    await port.open({ baudRate: 9600 });
    const writer = present(port.writable).getWriter();
    bridge.unplug();
    expect(await errorOf(writer.write(Uint8Array.of(1)))).toBe('no error');
    expect(await errorOf(writer.write(Uint8Array.of(2)))).toBe('NetworkError: The device has been lost.');
    expect(port.writable).toBeNull();
  });

  it('still gives buffered bytes after an unplug', async () => {
    const { clock, port, bridge, device } = pluggedIn();
    await port.open({ baudRate: 115_200 });
    device.sends(1, 2, 3);
    await clock.advance(10);
    bridge.unplug();
    const reading = readOn(port);
    await reading.ended;
    expect(reading.bytes()).toEqual([1, 2, 3]);
    expect(reading.errors).toEqual(['NetworkError']);
  });

  it('ends its reads and writes at once when it is forgotten', async () => {
    const { port, device, serial } = pluggedIn();
    await port.open({ baudRate: 9600 });
    const reading = present(port.readable).getReader().read();
    const writer = present(port.writable).getWriter();
    await port.forget();
    expect(await errorOf(reading)).toBe('NetworkError: The device has been lost.');
    expect(await errorOf(writer.write(Uint8Array.of(1)))).toBe('NetworkError: The device has been lost.');
    expect(device.lines.at(-1)).toEqual({ dtr: false, rts: false, break: false });
    expect(await serial.getPorts()).toEqual([]);
  });

  it('fails to open when it is forgotten during the opening', async () => {
    const { port, bridge } = pluggedIn();
    const opening = errorOf(port.open({ baudRate: 9600 }));
    await port.forget();
    expect(await opening).toMatch(/^NetworkError/);
    expect(port.readable).toBeNull();
    expect(() => bridge.holdElsewhere()).not.toThrow();
  });

  it('drops buffered bytes when a reader cancels', async () => {
    const { clock, port, device } = pluggedIn();
    await port.open({ baudRate: 115_200 });
    device.sends(1, 2, 3);
    await clock.advance(10);
    await present(port.readable).cancel();
    const reading = readOn(port);
    device.sends(4);
    await clock.advance(10);
    expect(reading.bytes()).toEqual([4]);
  });

  it('garbles both directions when its rate is not the device’s, and says that frames are broken', async () => {
    const { clock, port, device } = pluggedIn({ link: uartLink(115_200) });
    await port.open({ baudRate: 57_600 });
    const reading = readOn(port);
    const text = [...new TextEncoder().encode('the quick brown fox')];
    device.sends(...text);
    await present(port.writable).getWriter().write(Uint8Array.from(text));
    await clock.advance(100);
    expect(reading.bytes().length).toBeGreaterThan(0);
    expect(reading.bytes()).not.toEqual(text);
    expect(reading.errors).toContain('FramingError');
    expect(device.damaged).toContain('framing');
    expect(device.got).not.toEqual(text);
  });

  it('reports parity that is counted the other way', async () => {
    const { clock, port, device } = pluggedIn({ link: uartLink(9600, { parity: 'odd' }) });
    await port.open({ baudRate: 9600, parity: 'even' });
    const reading = readOn(port);
    device.sends(1, 2, 3);
    await clock.advance(100);
    expect(reading.bytes()).toEqual([]);
    expect(reading.errors).toContain('ParityError');
  });

  it('receives every byte of a device on USB itself, at any rate', async () => {
    const { clock, port, device } = pluggedIn({ link: { kind: 'usb', bytesPerSecond: 800_000 } });
    await port.open({ baudRate: 1_200 });
    const reading = readOn(port);
    device.sends(1, 2, 3);
    await clock.advance(1);
    expect(reading.bytes()).toEqual([1, 2, 3]);
  });

  it('reports the break that a device sends, at its place', async () => {
    const { clock, port, device } = pluggedIn();
    await port.open({ baudRate: 115_200 });
    const reading = readOn(port);
    device.sends(1, 2);
    device.line?.sendBreak();
    device.sends(3);
    await clock.advance(10);
    expect(reading.bytes()).toEqual([1, 2, 3]);
    expect(reading.errors).toEqual(['BreakError']);
  });
});

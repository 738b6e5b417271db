/**
 * Simulated devices: the other side of the wire, for people without a board, for tests and for benchmarks. They know the
 * clock that they are given, and neither a real time nor anything of the programs that talk to them.
 *
 * Three layers, each usable without the next:
 *
 * - `Device`: gets bytes and control lines, has a `DeviceLine` to write to. `ChattyBoard` is one.
 * - `WiredDevice`: a device with its two wires, paced, garbled at a wrong baud rate, faulty by plan. Any host drives it;
 *   src/serve/tcp-server.ts does so with a socket. Behind a pseudo-terminal whose bytes, rate and lines come as events:
 *
 *       const wired = new WiredDevice(new ChattyBoard(), {
 *         room: () => (writable ? Infinity : 0),           // and wired.resume() once it is writable again
 *         receive: (bytes) => { writable = terminal.write(bytes); },
 *         lineError: (error) => terminal.inject(error),    // 'framing' and 'overrun' where it can
 *         moved: () => {},                                 // wired.pendingToDevice has become smaller
 *       }, { clock: systemClock, pace: 'none' });          // a terminal that paces by itself needs no second pace
 *       terminal.on('termios', (settings) => wired.open(settings));
 *       terminal.on('modem', ({ dtr, rts }) => wired.setLines({ dtr, rts }));
 *       terminal.on('break', (on) => wired.setLines({ break: on }));
 *       terminal.on('data', (bytes) => wired.send(bytes));
 *       terminal.on('close', () => wired.close());
 *       // unplugged for good: wired.detach(); plugged in again: a new WiredDevice around the same device
 *
 * - `SimulatedSerial` and its ports: Web Serial's `Serial` and `SerialPort` around a `WiredDevice`, as Chromium has them.
 *   `createDemoPort` makes one in a single call.
 *
 * `@wirebench/devices/testing` holds what every `SerialPort` must do, as cases that any test runner can run.
 */
export { ChattyBoard, type ChattyBoardOptions } from './chatty/chatty-board.ts';
export { loadChunks, loadLineCount, loadLineLength, loadLines, loadSha256 } from './chatty/load-stream.ts';
export { createDemoPort, type DemoPort, type DemoPortOptions, demoUsbIds } from './demo-port.ts';
export { createModel, isModelName, type ModelName, type ModelOptions, modelNames } from './models.ts';
export type { Overrun } from './port/receive-buffer.ts';
export type { BridgeOptions, SimulatedBridge } from './port/simulated-bridge.ts';
export { type Choose, SimulatedSerial } from './port/simulated-serial.ts';
export { isSimulatedPort, type SimulatedSerialPort } from './port/simulated-serial-port.ts';
export type { ControlLines, Device, DeviceLine, LineError } from './wire/device.ts';
export type { DirectionFaults, FaultPlan, OpenFailure, ReplugOptions, WireFaults } from './wire/faults.ts';
export { byteTime, type Link, type UartLink, type UartSettings, type UsbLink, uartLink } from './wire/link.ts';
export type { Pace } from './wire/wire.ts';
export { type Host, WiredDevice, type WiredDeviceOptions } from './wire/wired-device.ts';

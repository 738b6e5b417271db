/**
 * Simulated devices: the far end of the wire, for users without a board, for tests and for benchmarks. They take the time only
 * from the clock they receive, and depend on no program that talks to them.
 *
 * Three layers, each usable without the next:
 *
 * - `Device`: receives bytes and control lines, and writes to a `DeviceLine`. `ChattyBoard` is an example.
 * - `WiredDevice`: a device with its two wires: paced, garbled at a wrong baud rate, with planned faults. Any host can drive it.
 *   src/serve/tcp-server.ts does so with a socket. For a pseudo-terminal whose bytes, rate and lines are events:
 *
 *       const wired = new WiredDevice(new ChattyBoard(), {
 *         room: () => (writable ? Infinity : 0),           // call wired.resume() when it is writable again
 *         receive: (bytes) => { writable = terminal.write(bytes); },
 *         lineError: (error) => terminal.inject(error),    // 'framing' and 'overrun', if the terminal supports them
 *         moved: () => {},                                 // wired.pendingToDevice has decreased
 *       }, { clock: systemClock, pace: 'none' });          // for a terminal that paces by itself
 *       terminal.on('termios', (settings) => wired.open(settings));
 *       terminal.on('modem', ({ dtr, rts }) => wired.setLines({ dtr, rts }));
 *       terminal.on('break', (on) => wired.setLines({ break: on }));
 *       terminal.on('data', (bytes) => wired.send(bytes));
 *       terminal.on('close', () => wired.close());
 *       // to unplug it: wired.detach(); to plug it in again: a new WiredDevice around the same device
 *
 * - `SimulatedSerial` and its ports: Web Serial's `Serial` and `SerialPort` around a `WiredDevice`, with Chromium's behaviour.
 *   `createDemoPort` creates one in a single call.
 */
export { AvrDevice } from './avr/avr-device.ts';
export { type AvrPort, createAvrPort } from './avr/avr-port.ts';
export { type AvrBoardName, avrBoardNames } from './avr/boards.ts';
export {
  type AvrFault,
  type AvrFaultKind,
  type AvrStep,
  avrFaultKinds,
  avrSteps,
  seededAvrFault,
} from './avr/faults.ts';
export { avrFirmware, avrFirmwareHex } from './avr/firmware.ts';
export type { AvrDeviceOptions } from './avr/options.ts';
export { LabBreadboard, labBreadboard } from './breadboard/lab-breadboard.ts';
export { SpiFlash } from './breadboard/parts/spi-flash.ts';
export { Tca9548a } from './breadboard/parts/tca9548a.ts';
export { ChattyBoard } from './chatty/chatty-board.ts';
export { crashText } from './chatty/crash/crash-text.ts';
export { crashKinds } from './chatty/crash/scenes.ts';
export { loadChunks, loadLineCount, loadLineLength, loadLines } from './chatty/load-stream.ts';
export { RiscvCpu } from './cpu/riscv/riscv-cpu.ts';
export { createDemoPort, demoUsbIds } from './demo-port.ts';
export { EspDevice } from './esp/esp-device.ts';
export { EspFlood } from './esp/esp-flood.ts';
export { createEspPort, type EspPort } from './esp/esp-port.ts';
export { type EspFault, type EspFaultKind, type EspStep, seededEspFault } from './esp/faults.ts';
export { crashedContent } from './esp/firmware/crashed-content.ts';
export { espFirmwareSet } from './esp/firmware/firmware-set.ts';
export { signedImage } from './esp/firmware/signed-image.ts';
export { type EspChipName, type EspDeviceOptions, type EspFlashOptions, espChipNames } from './esp/options.ts';
export type { FlashView } from './flash/flash-view.ts';
export { createStmModel, isAvrModel, isModelName, isNrfModel, isStmModel, modelNames } from './models.ts';
export { type NrfBoardName, nrfBoards } from './nrf/boards.ts';
export { signingKey } from './nrf/crypto/signing-key.ts';
export {
  type NrfFault,
  type NrfFaultKind,
  type NrfStep,
  nrfFaultKinds,
  nrfSteps,
  seededNrfFault,
} from './nrf/faults.ts';
export { adafruitDfuPackage } from './nrf/firmware/adafruit-package.ts';
export { applicationImage } from './nrf/firmware/application.ts';
export { nrfFirmware } from './nrf/firmware/nrf-firmware.ts';
export { secureDfuPackage } from './nrf/firmware/secure-package.ts';
export { NrfDevice } from './nrf/nrf-device.ts';
export { createNrfPort, type NrfPort } from './nrf/nrf-port.ts';
export type { NrfDeviceOptions } from './nrf/options.ts';
export type { PortWiring } from './port/plugged-device.ts';
export type { SimulatedBridge } from './port/simulated-bridge.ts';
export { SimulatedSerial } from './port/simulated-serial.ts';
export {
  type StmFault,
  type StmFaultKind,
  type StmUartStep,
  seededStmFault,
  stmFaultKinds,
  stmUartSteps,
  stmUsbFaultKinds,
  stmUsbSteps,
} from './stm/faults.ts';
export { stmFirmware } from './stm/firmware.ts';
export { type StmDeviceOptions, stmPartNames, stmUsbPartNames } from './stm/options.ts';
export { StmDevice } from './stm/stm-device.ts';
export { createStmPort, type StmPort } from './stm/stm-port.ts';
export { StmDfuBoard, type StmDfuOptions } from './stm/usb/stm-dfu-board.ts';
export type { Device } from './wire/device.ts';
export { type Host, WiredDevice } from './wire/wired-device.ts';

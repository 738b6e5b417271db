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
export { EspDevice, type EspState } from './esp/esp-device.ts';
export { createEspPort, type EspPort } from './esp/esp-port.ts';
export {
  type EspFault,
  type EspFaultKind,
  type EspStep,
  espFaultKinds,
  espSteps,
  seededEspFault,
} from './esp/faults.ts';
export {
  type EspFirmwareFile,
  type EspFirmwareSetOptions,
  espFirmwareSet,
} from './esp/firmware/firmware-set.ts';
export { type EspFirmwareOptions, espFirmware } from './esp/firmware/image.ts';
export {
  type EspChipName,
  type EspConnection,
  type EspDeviceOptions,
  type EspFlashOptions,
  type EspFlashPart,
  type EspProfile,
  type EspRevision,
  type EspSecurity,
  type EspStubKind,
  espChipNames,
} from './esp/options.ts';
export type { FlashView } from './flash/flash-view.ts';
export {
  createEspModel,
  createModel,
  createNordicModel,
  createStmModel,
  type EspModelName,
  isEspModel,
  isModelName,
  isNordicModel,
  isStmModel,
  type ModelName,
  type ModelOptions,
  modelNames,
  type NordicModelName,
  type StmModelName,
} from './models.ts';
export { type NordicBoardName, type NordicBootloader, nordicBoardNames, nordicBoards } from './nordic/boards.ts';
export type { PublicKey } from './nordic/crypto/p256.ts';
export { demoKey, type SigningKey, signingKey } from './nordic/crypto/signing-key.ts';
export {
  type NordicFault,
  type NordicFaultKind,
  type NordicStep,
  nordicFaultKinds,
  nordicSteps,
  seededNordicFault,
} from './nordic/faults.ts';
export { adafruitDfuPackage, type LegacyInitOptions, legacyInitPacket } from './nordic/firmware/adafruit-package.ts';
export { type ApplicationOptions, applicationImage } from './nordic/firmware/application.ts';
export {
  mcubootPackage,
  type NordicFirmware,
  type NordicFirmwareOptions,
  nordicFirmware,
} from './nordic/firmware/nordic-firmware.ts';
export {
  type InitPacketOptions,
  type SecureFirmware,
  secureDfuPackage,
  secureInitPacket,
} from './nordic/firmware/secure-package.ts';
export { type McubootImageOptions, mcubootImage } from './nordic/mcuboot/image.ts';
export { NordicDevice, type NordicState } from './nordic/nordic-device.ts';
export { createNordicPort, type NordicPort, type NordicPortWiring } from './nordic/nordic-port.ts';
export type {
  AdafruitDfuOptions,
  McubootOptions,
  NordicDeviceOptions,
  NordicProfile,
  SecureDfuOptions,
} from './nordic/options.ts';
export { softDeviceImage } from './nordic/soft-device.ts';
export type { PluggedDevice, PortWiring } from './port/plugged-device.ts';
export type { Overrun } from './port/receive-buffer.ts';
export type { BridgeOptions, SimulatedBridge } from './port/simulated-bridge.ts';
export { type Choose, SimulatedSerial } from './port/simulated-serial.ts';
export { isSimulatedPort, type SimulatedSerialPort } from './port/simulated-serial-port.ts';
export {
  type StmFault,
  type StmFaultKind,
  type StmStep,
  type StmUartStep,
  type StmUsbStep,
  seededStmFault,
  stmFaultKinds,
  stmUartSteps,
  stmUsbFaultKinds,
  stmUsbSteps,
} from './stm32/faults.ts';
export { type StmFirmwareOptions, type StmProgram, stmFirmware } from './stm32/firmware.ts';
export {
  type StmChipOptions,
  type StmContentPart,
  type StmDeviceOptions,
  type StmPartName,
  type StmProfile,
  type StmProtection,
  type StmUsbPartName,
  type StmWiring,
  type StmWiringName,
  stmPartNames,
  stmUsbPartNames,
} from './stm32/options.ts';
export { stmPartTitle } from './stm32/parts/index.ts';
export { StmDevice, type StmState } from './stm32/stm-device.ts';
export { createStmPort, type StmPort } from './stm32/stm-port.ts';
export { type ChooseUsb, SimulatedUsb, UsbConnectionEvent } from './stm32/usb/simulated-usb.ts';
export { StmDfuBoard, type StmDfuOptions, type StmDfuState } from './stm32/usb/stm-dfu-board.ts';
export { controlTransferTime, SimulatedUsbDevice } from './stm32/usb/usb-device.ts';
export type {
  UsbAlternate,
  UsbConfiguration,
  UsbControlSetup,
  UsbFilter,
  UsbInResult,
  UsbInterface,
  UsbOutResult,
  UsbTransferStatus,
} from './stm32/usb/web-usb.ts';
export type { ControlLines, Device, DeviceLine, LineError } from './wire/device.ts';
export type { DirectionFaults, FaultPlan, OpenFailure, ReplugOptions, WireFaults } from './wire/faults.ts';
export { byteTime, type Link, type UartLink, type UartSettings, type UsbLink, uartLink } from './wire/link.ts';
export type { Pace } from './wire/wire.ts';
export { type Host, WiredDevice, type WiredDeviceOptions } from './wire/wired-device.ts';

/**
 * The lab's RAM program: loading it, its operations, and decoding captured levels. Its frames are in
 * `firmware/probe/PROTOCOL.md`.
 */
export type { CaptureRequest } from './capture-frames.ts';
export { decodeI2c } from './decode/i2c.ts';
export { decodeSpi, type SpiFormat } from './decode/spi.ts';
export { decodeUart, type UartFormat } from './decode/uart.ts';
export { vcdOf } from './decode/vcd.ts';
export { isHighAt, type Wave, waveOf } from './decode/wave.ts';
export type { BridgeReport, LevelsReport } from './operations.ts';
export { ProbeError } from './probe-failure.ts';
export type { Capture } from './run-capture.ts';
export { findProbe, type Probe, type ProbeHost, startProbe } from './start-probe.ts';
export { BridgeOutput } from './streams.ts';

/**
 * One open serial port, for callers that read and write it themselves: classified open failures, one read loop, time
 * limits, control lines.
 */
export { defaultPortSettings, type PortSettings, wireTime } from '../port-settings.ts';
export {
  type ControlLines,
  type LineStep,
  linesOff,
  linesRaised,
  playSteps,
  type StepPlayer,
  setControlLines,
  stepPlayerOf,
} from './control-lines.ts';
export { errorName } from './error-name.ts';
export { bootloaderSteps, espressifPortOf, programSteps } from './espressif-reset.ts';
export { OpenError, type OpenFailure } from './open-failure.ts';
export { openPort, type PortOpening } from './open-port.ts';
export {
  type AwaitedFrame,
  type ExpectedBytes,
  type RemoteLoss,
  type RemoteTiming,
  remoteTimingOf,
} from './remote-timing.ts';
export { type LinkEnd, SerialLink } from './serial-link.ts';
export { limited, within } from './time-limit.ts';
export { aborted, unlessAborted } from './unless-aborted.ts';

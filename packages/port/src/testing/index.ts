/**
 * Fakes for the tests of other packages: a port that does what a test says. Ports with simulated boards are in
 * `devices`.
 */
export { FakeSerialPort } from './fake-serial-port.ts';

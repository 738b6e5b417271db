/** For the tests of other packages: a port that does what a test says. A port with a simulated board is in `devices`. */
export { FakeSerialPort } from './fake-serial-port.ts';

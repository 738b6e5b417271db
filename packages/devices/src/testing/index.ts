/**
 * For the tests of other packages: what every serial port must do, and a terminal to talk to a device without a port.
 * Needs no test runner of its own.
 */
export type { ContractBench, ContractCase } from './contract-bench.ts';
export { DeviceTerminal } from './device-terminal.ts';
export { serialPortContract } from './serial-port-contract.ts';

/** For the tests of those who build on the flasher: a simulated board on a virtual clock. */
export { type BenchWiring, PortBench } from './port-bench.ts';

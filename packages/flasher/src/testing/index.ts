/** For the tests of those who build on the flasher: a simulated board on a virtual clock. */
export { PortRig, type RigWiring } from './port-rig.ts';
export { runOn } from './run-on.ts';

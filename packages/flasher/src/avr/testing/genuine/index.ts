/** Boards with genuine bootloaders behind a pseudo-terminal, for benchmarks and browsers. Runs in Node on Linux only. */
export { type GenuineBoardName, genuineBoards } from './genuine-boards.ts';
export { provideSimavrBoard } from './simavr-process.ts';
export { SimavrTerminal } from './simavr-terminal.ts';
export { sketch } from './sketches.ts';
export { TerminalDevice } from './terminal-device.ts';

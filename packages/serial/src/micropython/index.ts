/** Boards that run MicroPython or CircuitPython: their raw REPL, their paste mode and their files. */
export { BoardError } from './board-error.ts';
export { type BoardEntry, BoardFiles, type BoardSpace } from './board-files.ts';
export { type CodePasteEnd, pasteCode, pastedLength } from './paste-mode.ts';
export { pathText } from './python-text.ts';
export { RawRepl } from './raw-repl.ts';

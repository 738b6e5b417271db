/** Logs in memory for tests, and what is read from them. */
import { utf8 } from '../../testing/line-channels.ts';
import type { LogForm } from '../log-lines-reader.ts';
import { bytesOfPiece, type LogPiece } from '../log-piece.ts';
import { type LogSource, LogStream, type LogStreamOptions } from '../log-stream.ts';
import { HEAD_BYTES, recogniseLog } from '../recognise-log.ts';

export const fileOf = (content: string | Uint8Array<ArrayBuffer>): LogSource => {
  const bytes = typeof content === 'string' ? utf8(content) : content;
  return { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
};

export async function formOf(source: LogSource): Promise<LogForm> {
  return recogniseLog(await source.read(0, Math.min(source.size, HEAD_BYTES)));
}

/** Reads the rest of a log. Each piece has bytes of its own. */
export async function piecesOf(
  source: LogSource,
  form: LogForm,
  options: LogStreamOptions = {},
): Promise<readonly LogPiece[]> {
  const stream = new LogStream(source, form, options);
  const all: LogPiece[] = [];
  for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
    all.push(...pieces.map((piece) => ({ ...piece, text: bytesOfPiece(piece), from: 0, to: piece.to - piece.from })));
  }
  return all;
}

const decoder = new TextDecoder();

/** Returns each piece as time, direction and text without its line ending. */
export async function linesOf(content: string, day = 0): Promise<unknown[]> {
  const source = fileOf(content);
  const pieces = await piecesOf(source, await formOf(source), { day });
  return pieces.map((piece) => [piece.at, piece.direction, textOf([piece]).replace(/\r?\n$/, '')]);
}

export const textOf = (pieces: readonly LogPiece[]): string =>
  pieces.map((piece) => decoder.decode(bytesOfPiece(piece))).join('');

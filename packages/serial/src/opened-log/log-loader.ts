/**
 * Adds the pieces of opened logs, with their own times, to the channels of ports. A log of hex digits stands for its
 * bytes where a decoder reads them.
 */
import { type PortSettings, wireTime } from '@wirebench/port';
import type { BenchChannels } from '../bench-channels.ts';
import { storedBlockTime } from '../block-time.ts';
import type { PortFramings } from '../frames/port-pairs.ts';
import { HexLines } from '../hex-line.ts';
import { byPort, type PortNumber } from '../port-number.ts';
import { bytesOfPiece, type LogPiece, portBytesOfPiece } from './log-piece.ts';

const decoder = new TextDecoder();
const parities: Readonly<Record<string, ParityType>> = { N: 'none', E: 'even', O: 'odd' };

interface LogLoaderParts {
  readonly channels: BenchChannels;
  readonly framings: PortFramings;
  /** Decides about waiting bytes of the other port of a pair, before bytes of `port` come at a time. */
  readonly passBeside: (port: PortNumber, at: number) => void;
}

export class LogLoader {
  readonly #parts: LogLoaderParts;
  /** Times of one byte in ms at the ports that an opened log says were connected, by their names there. */
  readonly #byteTimes = byPort(() => new Map<string, number>());
  /** Ports whose opened log is bytes in hex digits. */
  readonly #hexLogs = new Set<PortNumber>();
  /** Lines of hex digits in opened logs that are read as frames. */
  readonly #hexLines = { received: byPort(() => new HexLines()), sent: byPort(() => new HexLines()) };

  constructor(parts: LogLoaderParts) {
    this.#parts = parts;
  }

  /** @param amounts Counts of the port's bytes, which grow by those of the pieces. Undefined: nothing is counted. */
  load(port: PortNumber, pieces: readonly LogPiece[], amounts?: { received: number; sent: number }): void {
    for (const piece of pieces) {
      const at = Number.isNaN(piece.at) ? storedBlockTime(piece.blockAt) : piece.at;
      if (piece.direction === 'notice') {
        this.#loadNotice(port, piece, at);
        continue;
      }
      this.#loadBytes(port, piece.direction, piece, at);
      if (amounts !== undefined) {
        amounts[piece.direction] += piece.to - piece.from;
      }
    }
  }

  /** Adds the last bytes of hex digits: the log is read to its end. */
  end(port: PortNumber): void {
    this.#endHexLines(port, 'received');
    this.#endHexLines(port, 'sent');
  }

  /** Forgets the rates that the log of a port has named: it is read again. */
  startOver(port: PortNumber): void {
    this.#byteTimes[port].clear();
  }

  /** @param isHexLog True: lines of the log that will be loaded are bytes in hex digits, for decoders of text too. */
  setHexLog(port: PortNumber, isHexLog: boolean): void {
    if (isHexLog) {
      this.#hexLogs.add(port);
    } else {
      this.#hexLogs.delete(port);
    }
  }

  /** Time of one byte on the line of a port, in ms; 0 for a log that does not say its rate. */
  byteTime(port: PortNumber): number {
    // Lines of a log with several ports do not say which is theirs.
    const [logged = 0, ...others] = new Set(this.#byteTimes[port].values());
    return others.length === 0 ? logged : 0;
  }

  #loadNotice(port: PortNumber, piece: LogPiece, at: number): void {
    const text = decoder.decode(bytesOfPiece(piece)).trimEnd();
    this.#parts.channels.notice(piece.level ?? 'info', text, port, at);
    const connected = connectedLine(text);
    if (connected !== null) {
      this.#byteTimes[port].set(connected.port, connected.byteTime);
    }
  }

  #loadBytes(port: PortNumber, direction: 'received' | 'sent', piece: LogPiece, at: number): void {
    const channel = this.#parts.channels[direction](port);
    if (channel.isCut) {
      this.#loadFrames(port, direction, piece, at);
    } else if (direction === 'sent') {
      channel.appendEntry(bytesOfPiece(piece), at);
    } else {
      const framing = this.#parts.framings.received[port];
      framing.loaded(piece.text, at, piece.from, piece.to);
      if (piece.isEnd) {
        framing.ended();
      }
    }
  }

  /** Adds a piece of a log to frames. Lines of hex digits stand for their bytes. */
  #loadFrames(port: PortNumber, direction: 'received' | 'sent', piece: LogPiece, at: number): void {
    const { channels, framings, passBeside } = this.#parts;
    framings[direction === 'received' ? 'sent' : 'received'][port].passed(at);
    passBeside(port, at);
    const framing = framings[direction][port];
    const bytes = portBytesOfPiece(piece);
    const isText = channels[direction](port).isText;
    const isHexLog = this.#hexLogs.has(port);
    // Frames in text may look like hex digits, so that only the whole log tells.
    const isPlain = isText && !isHexLog;
    const lines = isPlain ? [bytes] : this.#hexLines[direction][port].read(bytes, isHexLog);
    for (const line of lines) {
      framing.loaded(line, at, 0, line.length);
    }
    if (piece.isEnd && !isPlain) {
      this.#endHexLines(port, direction);
    }
  }

  #endHexLines(port: PortNumber, direction: 'received' | 'sent'): void {
    const last = this.#hexLines[direction][port].end(this.#hexLogs.has(port));
    if (last.length > 0) {
      this.#parts.framings[direction][port].loaded(last, Number.NaN, 0, last.length);
    }
  }
}

/**
 * Reads `Port 1 connected (9600 8E1)`, the notice `connected` of a session.
 *
 * @returns the port, and the time of one byte on its line in ms; null for any other text.
 */
export function connectedLine(text: string): { readonly port: string; readonly byteTime: number } | null {
  const [, port, baudRate = '', dataBits, parity = '', stopBits] =
    /^(.+) connected \(([1-9]\d{0,9}) ([78])([NEO])([12])\)$/.exec(text) ?? [];
  if (port === undefined) {
    return null;
  }
  const settings: PortSettings = {
    baudRate: Number(baudRate),
    dataBits: dataBits === '7' ? 7 : 8,
    stopBits: stopBits === '2' ? 2 : 1,
    parity: parities[parity] ?? 'none',
    flowControl: 'none',
  };
  return { port, byteTime: wireTime(settings, 1) };
}

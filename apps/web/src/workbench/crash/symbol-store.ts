/** The thread that reads ELF files: keeps those that are open, and answers which places in the source addresses stand for. */
import type { Clock } from '@wirebench/clock';
import {
  blobSource,
  type DecodedAddress,
  decodeAddresses,
  elfHash,
  isSameBuild,
  openSymbolFile,
  type SymbolFile,
  SymbolFileError,
} from '@wirebench/symbols';
import type { CallFailure, Channel } from '../calls/call-protocol.ts';
import { CallServer } from '../calls/call-server.ts';
import type {
  BuildMatch,
  DecodeAnswer,
  DecodedPlace,
  DecodeRequest,
  SymbolApi,
  SymbolFacts,
  SymbolTick,
} from './symbol-protocol.ts';

interface OpenFile {
  readonly symbols: SymbolFile;
  readonly hash: string | null;
}

export class SymbolStore {
  readonly #clock: Clock;
  readonly #line: CallServer<SymbolApi, SymbolTick>;
  readonly #files = new Map<number, OpenFile>();
  readonly #opening = new Map<number, AbortController>();
  readonly #progress = new Map<number, number>();

  constructor(channel: Channel, clock: Clock) {
    this.#clock = clock;
    this.#line = new CallServer<SymbolApi, SymbolTick>({
      channel,
      clock,
      handlers: {
        open: (id, file) => this.#open(id, file),
        close: (id) => this.#close(id),
        decode: (request) => this.#decode(request),
      },
      tick: () => ({ progress: Object.fromEntries(this.#progress) }),
      failureOf,
    });
  }

  async #open(id: number, file: File): Promise<SymbolFacts> {
    const source = blobSource(file);
    const opening = new AbortController();
    const { signal } = opening;
    this.#opening.set(id, opening);
    try {
      const symbols = await openSymbolFile(source, {
        signal,
        onProgress: (fraction) => {
          this.#progress.set(id, fraction);
          this.#line.change();
        },
        pause: () => this.#clock.sleep(0),
      });
      // Browsers work hashes out on secure pages only.
      const hash = 'subtle' in crypto ? await elfHash(source) : null;
      signal.throwIfAborted();
      this.#files.set(id, { symbols, hash });
      return { machine: symbols.machine, hash, damagedUnits: symbols.summary.damagedUnits };
    } finally {
      this.#opening.delete(id);
      this.#progress.delete(id);
      this.#line.change();
    }
  }

  #close(id: number): void {
    this.#opening.get(id)?.abort();
    this.#files.delete(id);
  }

  #decode({ files, addresses, build }: DecodeRequest): DecodeAnswer {
    const open = files.flatMap((id) => {
      const file = this.#files.get(id);
      return file === undefined ? [] : [{ id, ...file, match: matchOf(file.hash, build) }];
    });
    const inOrder = [...open.filter(({ match }) => match === 'same'), ...open.filter(({ match }) => match !== 'same')];
    const found = new Map<DecodedAddress['address'], DecodedPlace>();
    for (const { id, symbols } of inOrder) {
      const left = addresses.filter((address) => !found.has(address));
      for (const { address, frames } of decodeAddresses(symbols, left)) {
        found.set(address, { file: id, frames });
      }
    }
    return {
      places: addresses.map((address) => found.get(address) ?? null),
      matches: Object.fromEntries(open.map(({ id, match }) => [id, match])),
    };
  }
}

function matchOf(hash: string | null, build: string | null): BuildMatch {
  if (hash === null || build === null) {
    return 'unknown';
  }
  return isSameBuild(hash, build) ? 'same' : 'other';
}

function failureOf(error: unknown): CallFailure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message, code: error instanceof SymbolFileError ? error.code : null };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blobSource } from './byte-source.ts';
import { elfHash, isSameBuild } from './elf-hash.ts';
import { type SymbolFailure, SymbolFileError } from './symbol-failure.ts';
import { openSymbolFile } from './symbol-file.ts';
import { asAnswer, readAnswers } from './testing/addr2line.ts';
import { bytesSource } from './testing/bytes-source.ts';
import { codeAddresses } from './testing/code-addresses.ts';
import { fixture, fixtureAnswers, fixtureNames } from './testing/fixtures.ts';

const open = (bytes: Uint8Array) => openSymbolFile(bytesSource(bytes));

function failureOf(opening: Promise<unknown>): Promise<SymbolFailure | undefined> {
  return opening.then(
    () => undefined,
    (error: unknown) => {
      expect(error).toBeInstanceOf(SymbolFileError);
      return error instanceof SymbolFileError ? error.code : undefined;
    },
  );
}

/** Returns a copy with the byte at `offset` changed. */
function changed(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[offset] = value;
  return copy;
}

describe('symbol file', () => {
  it.each(fixtureNames)('%s: each address as llvm-addr2line said', async (name) => {
    const bytes = fixture(name);
    const file = await open(bytes);
    const changes = readAnswers(fixtureAnswers(name));
    expect(changes.length).toBeGreaterThan(10);
    for (const address of codeAddresses(file)) {
      const expected = changes.findLast((change) => change.address <= address);
      expect(asAnswer(address, file.lookup(address)).frames).toEqual(expected?.frames);
    }
  });

  it('distinguishes inlined calls, innermost first', async () => {
    const file = await open(fixture('bare-riscv32'));
    expect(file.lookup(0x4200002c)).toEqual([
      { symbol: 'square', name: 'square', file: '/src/./calls.h', line: 2 },
      { symbol: 'cube', name: 'cube', file: '/src/./calls.h', line: 5 },
      { symbol: '_start', name: '_start', file: '/src/bare.c', line: 25 },
    ]);
  });

  it('says nothing about addresses outside of the program', async () => {
    const file = await open(fixture('bare-riscv32'));
    for (const address of [0x3fc80000, 0x41ffffff, 0x42000068, 0xffffffff]) {
      expect(file.isCode(address)).toBe(false);
      expect(file.lookup(address)).toEqual([]);
    }
  });

  it('takes no null pointer for code, though the linker left a dropped function at address 0', async () => {
    const file = await open(fixture('bare-riscv32'));
    expect(file.lookup(0).at(-1)).toMatchObject({ name: 'never_called' });
    expect(file.isCode(0)).toBe(false);
  });

  it('reads a blob piece by piece, with the same answers', async () => {
    const bytes = fixture('bare-xtensa');
    const [fromBytes, fromBlob] = await Promise.all([open(bytes), openSymbolFile(blobSource(new Blob([bytes])))]);
    expect(fromBlob.summary).toEqual(fromBytes.summary);
    expect(fromBlob.lookup(0x4020005c)).toEqual(fromBytes.lookup(0x4020005c));
  });

  it('needs the file no more once it is open', async () => {
    const bytes = fixture('bare-riscv32');
    const file = await open(bytes);
    const before = file.lookup(0x42000008);
    bytes.fill(0);
    expect(file.lookup(0x42000008)).toEqual(before);
    expect(file.isReturnAddress(0x42000024)).toBe(true);
  });

  it('knows what is behind a call', async () => {
    const riscv = await open(fixture('bare-riscv32'));
    expect([0x42000024, 0x4200004e].map((address) => riscv.isReturnAddress(address))).toEqual([true, true]);
    expect([0x42000020, 0x42000028, 0x3fc80000].some((address) => riscv.isReturnAddress(address))).toBe(false);
    const xtensa = await open(fixture('bare-xtensa'));
    expect([0x40200027, 0x4020004d].map((address) => xtensa.isReturnAddress(address))).toEqual([true, true]);
    expect([0x40200024, 0x4020002a].some((address) => xtensa.isReturnAddress(address))).toBe(false);
  });

  it('reports when it is done', async () => {
    const shares: number[] = [];
    await openSymbolFile(bytesSource(fixture('bare-riscv32')), { onProgress: (share) => shares.push(share) });
    expect(shares.at(-1)).toBe(1);
  });

  it('stops between two reads when it is asked to', async () => {
    const abort = new AbortController();
    const source = bytesSource(fixture('bare-riscv32'));
    let reads = 0;
    const read = (offset: number, length: number) => {
      reads++;
      if (reads === 8) {
        abort.abort(new Error('Another file was dropped'));
      }
      return source.read(offset, length);
    };
    const opening = openSymbolFile({ size: source.size, read }, { signal: abort.signal });
    await expect(opening).rejects.toThrow('Another file was dropped');
    expect(reads).toBe(8);
  });
});

describe('files that cannot serve', () => {
  it('refuses what is no ELF file, however short', async () => {
    expect(await failureOf(open(new Uint8Array()))).toBe('not-elf');
    expect(await failureOf(open(Uint8Array.of(0xe9, 0x02, 0x02, 0x20)))).toBe('not-elf');
    expect(await failureOf(open(new Uint8Array(4_096)))).toBe('not-elf');
  });

  it('says that a file ends too early', async () => {
    const bytes = fixture('bare-riscv32');
    expect(await failureOf(open(bytes.subarray(0, 40)))).toBe('truncated');
    expect(await failureOf(open(bytes.subarray(0, bytes.length - 100)))).toBe('truncated');
  });

  it('refuses an object file that was not linked', async () => {
    expect(await failureOf(open(changed(fixture('bare-riscv32'), 16, 1)))).toBe('not-linked');
  });

  it('refuses a file without symbols and debug information', async () => {
    // A file without a section table (e_shoff, e_shnum) has no symbols.
    const bytes = fixture('bare-riscv32');
    bytes.fill(0, 32, 36);
    bytes.fill(0, 48, 50);
    expect(await failureOf(open(bytes))).toBe('no-symbols');
  });

  it('counts a damaged unit and keeps the names that the linker gave', async () => {
    const bytes = fixture('bare-riscv32');
    const file = await open(bytes);
    expect(file.summary.damagedUnits).toBe(0);
    // `.debug_abbrev` starts with code 1, tag 0x11 (compile unit). Makes all of its codes unknown.
    const needle = [0x01, 0x11, 0x01, 0x25];
    const at = bytes.findIndex((_, index) => needle.every((byte, offset) => bytes[index + offset] === byte));
    const damaged = await open(changed(bytes, at, 0));
    expect(damaged.summary.damagedUnits).toBe(1);
    expect(damaged.lookup(0x42000000)).toMatchObject([{ symbol: 'fail' }]);
  });

  it('survives any damage: it is refused by name, or answers something', { timeout: 60_000 }, async () => {
    const bytes = fixture('bare-riscv32');
    const changes = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const damaged = bytes.slice();
        for (const [offset, value] of list) {
          damaged[offset] = value;
        }
        const file = await open(damaged).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SymbolFileError);
          return undefined;
        });
        for (const address of [0, 0x42000000, 0x42000030, 0xffffffff]) {
          expect(file?.lookup(address) ?? []).toBeInstanceOf(Array);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the build that runs', () => {
  it('is recognised by the first digits of its hash', async () => {
    const hash = await elfHash(bytesSource(fixture('bare-xtensa')));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(isSameBuild(hash, hash.slice(0, 9).toUpperCase())).toBe(true);
    expect(isSameBuild(hash, '00000000000')).toBe(false);
    expect(isSameBuild(hash, hash.slice(0, 4))).toBe(false);
  });
});

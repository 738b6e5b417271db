import { createHash } from 'node:crypto';
import { VirtualClock } from '@wirebench/clock';
import { MicroPythonBoard, type MicroPythonOptions } from '@wirebench/devices/micropython';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoardError } from './board-error.ts';
import { BoardFiles, temporaryName } from './board-files.ts';
import { RawRepl } from './raw-repl.ts';
import { boardLink } from './testing/board-link.ts';

/** Random trees that go to the board and back. `npm run test:long` takes all of them. */
const treeRuns = isLong ? 200 : 25;

const utf8 = (text: string) => new TextEncoder().encode(text);
const sha256 = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Lets time pass until the work has ended. */
async function ended<Result>(clock: VirtualClock, work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const done = () => {
    isOver = true;
  };
  work.then(done, done);
  await clock.settle();
  while (!isOver) {
    await clock.advance(10);
  }
  return work;
}

async function rig(options: MicroPythonOptions = {}, pieces?: number) {
  const clock = new VirtualClock();
  const board = await MicroPythonBoard.load(options);
  const link = boardLink(board, clock, pieces);
  const stop = new AbortController();
  const repl = new RawRepl({ link, clock, signal: new AbortController().signal });
  const files = new BoardFiles(repl, sha256, stop.signal);
  const run = <Result>(work: () => Promise<Result>) => ended(clock, work());
  /** Enters the raw REPL, does the work and leaves. */
  const session = <Result>(work: () => Promise<Result>) =>
    run(async () => {
      await repl.enter(true);
      await files.begin();
      const result = await work();
      await files.end();
      await repl.leave();
      return result;
    });
  return { clock, board, link, repl, files, stop, run, session };
}

/** A raw REPL whose board prints the same lines for all code. */
function printing(lines: readonly string[]): RawRepl {
  const output = utf8(lines.join('\r\n'));
  return { execute: async () => ({ output, error: '' }) } as unknown as RawRepl;
}

describe('a folder with a name that is no UTF-8', () => {
  it('is listed with the bytes kept, and the rest of it', async () => {
    const files = new BoardFiles(
      printing(['# 0 12', "~b'caf\\xe9.txt'", '# 1 0', "~b'lib'", '# 2 0', "~b'broken'"]),
      sha256,
      new AbortController().signal,
    );
    expect(await files.list('/sd')).toEqual([
      { path: '/sd/broken', isFolder: false, size: 0 },
      { path: '/sd/caf\udce9.txt', isFolder: false, size: 12 },
      { path: '/sd/lib', isFolder: true, size: 0 },
    ]);
  });
});

const content = (board: MicroPythonBoard) => new Map([...board.files]);

describe.each([
  ['raw paste', {}],
  ['the plain raw REPL', { pasteWindow: null }],
  ['a window of one byte', { pasteWindow: 1 }],
] as const)('files of the genuine interpreter by %s', (_name, options) => {
  it('are written, listed, read and hashed', async () => {
    const { board, files, repl, session } = await rig(options);
    const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 7) & 0xff);
    await session(async () => {
      await files.makeFolders('/lib/a b');
      expect(await files.write('/lib/a b/ünï "quoted\' \\.py', bytes)).toMatchObject({ removedFirst: false });
      await files.write('/empty', new Uint8Array());
      expect(await files.tree('/')).toEqual([
        { path: '/empty', isFolder: false, size: 0 },
        { path: '/lib', isFolder: true, size: 0 },
        { path: '/lib/a b', isFolder: true, size: 0 },
        { path: '/lib/a b/ünï "quoted\' \\.py', isFolder: false, size: 1_000 },
      ]);
      expect((await files.read('/lib/a b/ünï "quoted\' \\.py')).bytes).toEqual(bytes);
      expect(await files.hash('/empty')).toBe(await sha256(new Uint8Array()));
      expect(await files.identity()).toBe('micropython 1.27.0; webassembly');
      expect((await files.space('/'))?.free).toBeGreaterThan(0);
    });
    expect(files.canHash).toBe(true);
    expect(repl.canPaste).toBe(!('pasteWindow' in options) || options.pasteWindow !== null);
    expect(content(board).get('/lib/a b/ünï "quoted\' \\.py')).toEqual(bytes);
  });
});

describe('files of a board', () => {
  it.each([
    ['without hashlib', { missing: ['hashlib'] }],
    ['without binascii', { missing: ['binascii'] }],
    ['without both', { missing: ['binascii', 'hashlib'] }],
    ['that answers byte by byte', {}],
  ] as const)('%s are equal by hash after writing and reading', async (name, options) => {
    const { files, session } = await rig(options, name.endsWith('byte') ? 1 : undefined);
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await session(async () => {
      const { hash } = await files.write('/all', bytes);
      expect(hash).toBe(await sha256(bytes));
      expect(await files.read('/all')).toEqual({ bytes, hash });
    });
    expect(files.canHash).toBe(!('missing' in options) || !options.missing.some((module) => module === 'hashlib'));
  });

  it('leaves no names behind, and keeps those of the user', async () => {
    const { board, link, files, repl, clock, session } = await rig();
    board.receive(utf8('kept = 5\r'));
    await session(() => files.list('/'));
    repl.close();
    await clock.settle();
    link.takeAll();
    board.receive(utf8("kept, [n for n in dir() if '_wb' in n]\r"));
    await clock.settle();
    expect(link.takeAll()).toContain('(5, [])');
  });

  it('replaces a file on a board that cannot rename over it', async () => {
    const { board, files, session } = await rig({ isFat: true, files: { '/main.py': 'old' } });
    await session(async () => {
      expect(await files.write('/main.py', utf8('new'))).toMatchObject({ removedFirst: true });
    });
    expect([...content(board)]).toEqual([['/main.py', utf8('new')]]);
  });

  it('refuses a name that is taken, and removes folders with everything in them', async () => {
    const { board, files, session } = await rig({ files: { '/a/b/c.py': '1', '/a/d.py': '2', '/e.py': '3' } });
    await session(async () => {
      await expect(files.rename('/e.py', '/a/d.py')).rejects.toMatchObject({ code: 'exists' });
      await expect(files.write('/a', utf8('x'))).rejects.toMatchObject({ code: 'is-folder' });
      await expect(files.remove('/nowhere')).rejects.toMatchObject({ code: 'missing' });
      await expect(files.write('/a\nb', utf8('x'))).rejects.toMatchObject({ code: 'bad-name' });
      await files.rename('/e.py', '/f.py');
      await files.remove('/a');
    });
    expect([...content(board).keys()]).toEqual(['/f.py']);
  });

  it('says that a full file system is full, and leaves the old file', async () => {
    const { board, files, session } = await rig({ capacity: 1_500, files: { '/log.txt': 'old' } });
    await session(async () => {
      await expect(files.write('/log.txt', new Uint8Array(3_000))).rejects.toMatchObject({ code: 'full' });
    });
    expect([...content(board)]).toEqual([['/log.txt', utf8('old')]]);
  });

  it('says what to do about a read-only file system', async () => {
    const { files, session } = await rig({ isReadOnly: true });
    await session(async () => {
      await expect(files.write('/a.py', utf8('a'))).rejects.toThrow(/storage\.disable_usb_drive/);
      await expect(files.makeFolder('/lib')).rejects.toMatchObject({ code: 'read-only' });
    });
  });

  it('stops between two pieces, and removes what it began', async () => {
    const { board, files, stop, session } = await rig({ files: { '/big': 'old' } });
    await session(async () => {
      const writing = files.write('/big', new Uint8Array(5_000), (done) => done > 1_000 && stop.abort());
      await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
    }).catch((error) => expect(error).toMatchObject({ code: 'cancelled' }));
    expect([...content(board)]).toEqual([['/big', utf8('old')]]);
  });

  it('is never half under its own name, wherever the connection is cut', async () => {
    const old = utf8('the old version');
    const fresh = utf8('the new version, which is longer');
    const whole = await rig({ files: { '/a.py': old } });
    await whole.session(() => whole.files.write('/a.py', fresh));
    const total = whole.link.written;
    const seen = new Set<string>();
    const { clock, board } = whole;
    for (let cut = 1; cut <= total; cut++) {
      board.put('/a.py', old);
      board.detach();
      const link = boardLink(board, clock);
      const repl = new RawRepl({ link, clock, signal: new AbortController().signal });
      const files = new BoardFiles(repl, sha256, new AbortController().signal);
      link.cutAfter(cut);
      const work = (async () => {
        await repl.enter(true);
        await files.begin();
        await files.write('/a.py', fresh);
        await files.end();
        await repl.leave();
      })();
      const outcome = await ended(
        clock,
        work.then(
          () => 'done',
          (error: unknown) => (error instanceof BoardError ? error.code : String(error)),
        ),
      );
      expect(outcome).toBe('closed');
      const now = new TextDecoder().decode(content(board).get('/a.py') ?? undefined);
      expect([new TextDecoder().decode(old), new TextDecoder().decode(fresh)]).toContain(now);
      seen.add(now);
    }
    expect(seen.size).toBe(2);
  });

  it('says that the board restarted, wherever it does, and keeps whole files', async () => {
    const whole = await rig({ files: { '/a.py': 'old' } });
    await whole.session(() => whole.files.write('/a.py', utf8('new')));
    const codes = new Set<string>();
    for (let at = 400; at < whole.link.written - 400; at += 97) {
      const { board, files, session } = await rig({ files: { '/a.py': 'old' } });
      board.resetAfter(at);
      const error: unknown = await session(() => files.write('/a.py', utf8('new'))).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BoardError);
      codes.add((error as BoardError).code);
      expect(['old', 'new']).toContain(new TextDecoder().decode(content(board).get('/a.py') ?? undefined));
    }
    expect([...codes]).toEqual(['reset']);
  });

  it(`brings ${treeRuns} random trees to the board, changes them and brings them back, equal by hash`, async () => {
    const { board, files, session } = await rig();
    // The interpreter's VfsPosix lists no names that begin with two dots, and its root has folders of its own. Its folders are
    // plain objects, which cannot hold `__proto__`.
    const isUsable = (text: string) =>
      text !== '.' &&
      !text.startsWith('..') &&
      !['dev', 'proc', 'home', 'tmp', '__proto__', temporaryName].includes(text);
    const name = fc.stringMatching(/^[\p{L}\p{N} _.'"\\()-]{1,12}$/u).filter(isUsable);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
    const tree = fc.array(fc.tuple(path, fc.uint8Array({ maxLength: 420 })), { maxLength: 2 });
    let trees = 0;
    const wholeTree = fc.asyncProperty(tree, tree, async (first, second) => {
      trees++;
      const wanted = new Map<string, Uint8Array<ArrayBuffer>>();
      const write = async (all: typeof first) => {
        for (const [at, bytes] of all) {
          const isBlocked = [...wanted.keys()].some(
            (other) => other.startsWith(`${at}/`) || at.startsWith(`${other}/`),
          );
          if (isBlocked) {
            continue;
          }
          const kept = Uint8Array.from(bytes);
          const old = wanted.get(at);
          wanted.set(at, kept);
          // Sends only what differs, as a comparison of folders does.
          if (old === undefined || (await files.hash(at)) !== (await sha256(kept))) {
            await files.makeFolders(at.slice(0, Math.max(1, at.lastIndexOf('/'))));
            await files.write(at, kept);
          }
        }
      };
      await write(first);
      await write(second);
      const entries = (await files.tree('/')).filter(({ isFolder }) => !isFolder);
      expect(entries.map((entry) => entry.path).sort()).toEqual([...wanted.keys()].sort());
      for (const [at, bytes] of wanted) {
        expect(await files.read(at)).toEqual({ bytes, hash: await sha256(bytes) });
      }
      expect(new Map([...content(board)].filter(([, bytes]) => bytes !== null))).toEqual(wanted);
      for (const { path: at } of await files.list('/')) {
        await files.remove(at);
      }
      expect(content(board).size).toBe(0);
    });
    await session(() => fc.assert(wholeTree, { numRuns: treeRuns, endOnFailure: true }));
    expect(trees).toBeGreaterThanOrEqual(treeRuns);
  }, 300_000);
});

/** A build with the machine's own ninja, compiler and linker, whose last step writes its image slowly. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';

const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0;

interface Target {
  readonly compiler: string;
  /** Further programs that the build runs. */
  readonly others: readonly string[];
  readonly flags: string;
  /** Name of the file that is written to the board. */
  readonly image: string;
  /** Returns the source of the n-th build. */
  source(version: string, count: number): string;
  /** Files of the folder that are not built. */
  readonly files: Readonly<Record<string, string>>;
}

/** Results of a build: an image of an ESP32, or the HEX file of a sketch for an ATmega328P. */
export const targets = {
  esp: {
    compiler: 'gcc',
    others: [],
    flags: '-static',
    image: 'app.bin',
    source: (version) => `const char version[] = "${version}";\nvoid _start(void) { for (;;); }\n`,
    files: {
      'flasher_args.json': JSON.stringify({
        flash_files: { '0x10000': 'app.bin' },
        extra_esptool_args: { chip: 'esp32' },
      }),
    },
  },
  avr: {
    compiler: 'avr-gcc',
    others: ['avr-objcopy'],
    flags: '-mmcu=atmega328p',
    image: 'app.hex',
    // No page is the same in two builds, and each build is longer than the one before.
    source: (_, count) => `
__attribute__((naked, used, section(".vectors"))) void start(void) { for (;;); }
__attribute__((used, section(".progmem.data"))) const unsigned char content[] = {
  ${Array.from({ length: 6_000 + count }, (_, at) => (at % 2 === 0 ? count : at * 7) & 0xff)}
};
`,
    files: {},
  },
} as const satisfies Record<string, Target>;

/** Returns null if this machine can build for a target; else the programs that are missing. */
export const missingPrograms = ({ compiler, others }: Target): string | null =>
  ['ninja', compiler, ...others].filter((name) => !hasProgram(name)).join(' and ') || null;

const rules = ({ compiler, flags, image }: Target, maker: string, wholeImages: string) => `
rule cc
  command = ${compiler} ${flags} -c -ffreestanding $in -o $out
rule link
  command = ${compiler} ${flags} -nostdlib $in -o $out
rule image
  pool = console
  command = ${process.execPath} ${maker} $in $out $$(cat version) 90 ${wholeImages}
build main.o: cc main.c
build app.elf: link main.o
build ${image}: image app.elf
`;

export class NinjaBuild {
  readonly path: string;
  readonly #target: Target;
  #count = 0;
  /** SHA-256 of the image of the latest build that has finished. */
  latest = '';
  /** Number of builds that were killed before they had finished. */
  killed = 0;

  constructor(path: string, target: Target) {
    this.path = path;
    this.#target = target;
  }

  /** Folder of the whole images, beside the one that the page watches. */
  get #wholeImages(): string {
    return `${this.path}-images`;
  }

  /** Returns the SHA-256 of each image that a build began to write. Whatever else the file held was torn. */
  wholeImages(): Promise<readonly string[]> {
    return readdir(this.#wholeImages);
  }

  /** Returns the whole image with a SHA-256 that begins with `hash`. Rejects if no build made it. */
  async wholeImage(hash: string): Promise<Buffer> {
    const name = (await this.wholeImages()).find((whole) => whole.startsWith(hash));
    if (name === undefined) {
      throw new Error(`No build made an image ${hash}.`);
    }
    return readFile(`${this.#wholeImages}/${name}`);
  }

  async begin(): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await mkdir(this.#wholeImages, { recursive: true });
    await writeFile(
      `${this.path}/build.ninja`,
      rules(this.#target, new URL('slow-image.ts', import.meta.url).pathname, this.#wholeImages),
    );
    for (const [name, text] of Object.entries(this.#target.files)) {
      await writeFile(`${this.path}/${name}`, text);
    }
    await this.build(null);
  }

  /**
   * Changes the source and builds.
   *
   * @param killedAfter Milliseconds after which the build is killed; null lets it finish.
   */
  async build(killedAfter: number | null): Promise<void> {
    const version = `1.0.${++this.#count}`;
    await writeFile(`${this.path}/version`, version);
    await writeFile(`${this.path}/main.c`, this.#target.source(version, this.#count));
    const { image } = this.#target;
    const ninja = spawn('ninja', ['-C', this.path, image], { detached: true, stdio: 'ignore' });
    if (await ended(ninja, killedAfter)) {
      this.latest = createHash('sha256')
        .update(await readFile(`${this.path}/${image}`))
        .digest('hex');
    } else {
      this.killed++;
    }
  }
}

/** Resolves with true if the program ended by itself and without a fault. */
function ended(program: ChildProcess, killedAfter: number | null): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isKilled = false;
    const kill = () => {
      isKilled = true;
      // The whole group, so that the step that writes dies with the build.
      process.kill(-(program.pid ?? 0), 'SIGKILL');
    };
    const timer = killedAfter === null ? undefined : setTimeout(kill, killedAfter);
    program.on('error', reject);
    program.on('exit', (code) => {
      clearTimeout(timer);
      if (code !== 0 && !isKilled) {
        reject(new Error(`ninja ended with ${code}.`));
      }
      resolve(code === 0);
    });
  });
}

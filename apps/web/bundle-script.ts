/** Target browsers of the build, and scripts and programs that are built beside it. */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Plugin } from 'vite';

/** Web Serial came with Chromium 89. The other browsers lack it and still show releases and documentation. */
export const styleTarget = ['chrome89', 'edge89', 'firefox114', 'safari16.4'];

/**
 * Below 98 the compiler would rewrite every private field and every `?.` in all browsers, because of faults in rare
 * cases that this code does not meet. `e2e/old-browser/coverage.spec.ts` reports syntax of 90 to 98 in the built
 * files.
 */
export const scriptTarget = ['chrome98', 'edge98', 'firefox114', 'safari16.4'];

/**
 * Bundles a script into one classic script without imports. Some browsers refuse modules as service workers, and code
 * that runs before the modules cannot be a module itself.
 *
 * @param input Path of its source.
 * @param define Names in the source and the JavaScript that replaces them.
 */
export async function bundleScript(input: string, define: Readonly<Record<string, string>>): Promise<string> {
  return bundle(input, {
    define,
    build: {
      target: scriptTarget,
      modulePreload: false,
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  });
}

/** Keeps `ws` from loading native code that is not installed. */
const withoutNativeParts = { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' };

/**
 * Bundles a program into one module for Node 20 and later that needs nothing but Node. It stays readable, because
 * people have to trust it.
 *
 * @param input Path of its source.
 */
export async function bundleProgram(input: string): Promise<string> {
  return bundle(input, {
    define: withoutNativeParts,
    ssr: { noExternal: true },
    build: {
      ssr: input,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { format: 'es', codeSplitting: false } },
    },
  });
}

/**
 * Bundles a program for Node 20 and later into a folder: one module, and parts that it loads when they are needed.
 *
 * @param input Path of its source. The module has its name with the ending `.js`.
 * @param external Packages that stay outside because they have native code.
 */
export async function bundleProgramParts(input: string, folder: string, external: readonly string[]): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: withoutNativeParts,
    ssr: { noExternal: true, external: [...external] },
    build: {
      ssr: input,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        // Comments in the output name paths from here: the same source makes the same file wherever it is built.
        cwd: dirname(input),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'parts/[name].js' },
      },
    },
  });
}

/**
 * Bundles programs and worker threads, with all packages, for the Node that runs this. Modules find files beside
 * themselves as if they ran from their sources, because the result replaces their own addresses by those of the
 * sources.
 *
 * @param inputs Paths of sources by name in the folder, without ending. They have to contain each `*.worker.ts` that
 *   one of them starts, under the name of its file.
 */
export async function bundleForThisNode(inputs: Readonly<Record<string, string>>, folder: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [sourceAddresses],
    // The files of packages that Node itself chooses.
    resolve: { mainFields: ['main'] },
    ssr: { noExternal: true, resolve: { conditions: ['node'] } },
    build: {
      ssr: true,
      outDir: folder,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input: { ...inputs },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}

const sourceAddresses: Plugin = {
  name: 'source-addresses',
  enforce: 'pre',
  transform: {
    filter: { id: { exclude: /^\0/ }, code: /import\.meta\.(?:url|dirname|filename)|__dirname|__filename/ },
    handler: (code, id) =>
      code
        .replace(/(?<='\.\/[\w-]+\.worker)\.ts(?=', import\.meta\.url\))/g, '.js')
        .replace(/(?<!\.worker\.js', )\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
        .replace(/\b(?:import\.meta\.|__)dirname\b/g, JSON.stringify(dirname(id)))
        .replace(/\b(?:import\.meta\.|__)filename\b/g, JSON.stringify(id)),
  },
};

async function bundle(input: string, config: InlineConfig): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ...config,
    build: { write: false, ...config.build },
  });
  const output = Array.isArray(result) ? result[0] : result;
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk === undefined) {
    throw new Error(`${input} could not be built.`);
  }
  return chunk.code;
}

/** Target browsers of the build, and scripts that are built beside it, each into one file without imports. */
import { dirname } from 'node:path';
import { build, type InlineConfig } from 'vite';

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

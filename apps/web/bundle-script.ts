/** Which browsers the build is for, and scripts that are built beside it, each into one file without imports. */
import { build, type InlineConfig } from 'vite';

/** Web Serial came with Chromium 89. The others have none, and still show releases and documentation. */
export const styleTarget = ['chrome89', 'edge89', 'firefox114', 'safari16.4'];

/**
 * Below 98 every private field and every `?.` would be rewritten, in all browsers, because of faults in corners that nothing here
 * touches. `e2e/old-browser/coverage.spec.ts` finds the little syntax of 90 to 98 in what was built, should it ever be used.
 */
export const scriptTarget = ['chrome98', 'edge98', 'firefox114', 'safari16.4'];

/**
 * One script without imports: not every browser takes a module as a service worker, and what runs before the modules is none.
 * @param input path of its source
 * @param define names in the source and the JavaScript that takes their place
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

/**
 * One module for Node 20 and later that needs nothing but Node, readable as people have to trust it.
 * @param input path of its source
 */
export async function bundleProgram(input: string): Promise<string> {
  return bundle(input, {
    // Where it could, `ws` would load native code that is not installed.
    define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
    ssr: { noExternal: true },
    build: {
      ssr: input,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { format: 'es', codeSplitting: false } },
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

/**
 * `npm run verify`: compares the file store with the database, while the server runs or not. Ends with 1 when bytes are missing,
 * damaged or used by no version. What to do about it is in docs/operating.md.
 */
import { isSound, loadEnvironment, StartError, verify, verifyReport } from '@wirebench/server';

const [option, ...more] = process.argv.slice(2);
if ((option !== undefined && option !== '--repair') || more.length > 0) {
  console.error('Usage: npm run verify [-- --repair]');
  process.exitCode = 1;
} else {
  try {
    const result = await verify(loadEnvironment(), { repair: option === '--repair' });
    console.log(verifyReport(result));
    process.exitCode = isSound(result) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
    console.error(error.lines.join('\n'));
    process.exitCode = 1;
  }
}

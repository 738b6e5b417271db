/** `npm run accounts -- <command>`: accounts of the embedded sign-in. `--help` says what there is. */
import { loadEnvironment, runAccountCommand, StartError } from '@wirebench/server';
import { readNewPassword } from './operations/read-password.ts';

try {
  const lines = await runAccountCommand(process.argv.slice(2), {
    environment: { ...loadEnvironment() },
    readPassword: readNewPassword,
  });
  console.log(lines.join('\n'));
} catch (error) {
  if (!(error instanceof StartError)) {
    throw error;
  }
  console.error(error.lines.join('\n'));
  process.exitCode = 1;
}

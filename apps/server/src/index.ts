/** The server as scripts, benchmarks and end-to-end tests use it. */
export { backUp, restore } from './backup/commands.ts';
export type { BackupSummary } from './backup/create-backup.ts';

export { loadEnvironment } from './environment.ts';
export { runAccountCommand } from './identity/embedded/account-commands.ts';
export { StartError } from './start-error.ts';
export { checkSettings, type StartedServer, startServer } from './start-server.ts';
export { isSound, verify, verifyReport } from './verify/command.ts';

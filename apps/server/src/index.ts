/** The parts of the server that scripts, benchmarks and end-to-end tests use. */
export { loadEnvironment } from './environment.ts';
export { runAccountCommand } from './identity/embedded/account-commands.ts';
export { StartError } from './start-error.ts';
export { checkSettings, type StartedServer, startServer } from './start-server.ts';

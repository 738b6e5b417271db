/** Names of the transfer protocols, on the screen and in the log. */
export { protocolNames } from '@wirebench/serial/transfer';
